// Written by Tests/CommandTests/embed-completions from completions/; do not edit.

extension CompletionScripts {
    static let zsh = ####"""
        #compdef lockbook
        # zsh completion for lockbook.
        #
        # A thin adapter: `lockbook __complete` knows what can follow, this only carries words there and candidates back.
        # Names come from other people (shared folders), so nothing here is ever evaluated or expanded: no eval, no _describe
        # (which cuts at `:`). Quoting, also inside a quote that is still open, is left to compadd.
        #
        # Asked:    lockbook __complete zsh INDEX WORD...
        #           WORD... are the words from the program's name up to and including the one at the cursor, cut at the cursor,
        #           with one level of quoting taken off by ${(Q)..} (a quote still open counts). Redirections are left out by
        #           zsh. Nothing is expanded: $NAME, $(..), `..`, ~ and * arrive as typed. INDEX counts from 0.
        # Answered: records that end in NUL. First directive=space|nospace|files|folders, then VALUE or VALUE<tab>DESCRIPTION,
        #           where VALUE is the whole new word, unquoted.
        #
        # The `lockbook` of the path is asked, never what stands on the line: Tab must not run a program that Enter has not been
        # pressed for.

        _lockbook() {
            local open=${compstate[quote]#\$} record value leaf directive common lone cut byte code at sample=$'\303\251' added=1
            local -a asked records folders folders_shown others others_shown lines loose

            asked=("${(@Q)words[1,CURRENT-1]}" "${(Q):-$QIPREFIX$IPREFIX$PREFIX$open}")
            records=("${(@0)"$(
                command lockbook __complete zsh $((CURRENT - 1)) "${asked[@]}" </dev/null 2>/dev/null
            )"}")
            directive=${records[1]#directive=}

            for record in "${(@)records[2,-1]}"; do
                value=${record%%$'\t'*}
                [[ -n $value && $value != *[[:cntrl:]]* ]] || continue
                leaf=${value%/}
                leaf=${leaf##*/}${value:${#leaf}}
                if [[ $record == *$'\t'?* ]]; then
                    leaf+="  (${record#*$'\t'})"
                    lines=(-l)
                fi
                if [[ $directive == nospace || $value == */ ]]; then
                    folders+=("$value") folders_shown+=("$leaf")
                else
                    others+=("$value") others_shown+=("$leaf")
                fi
            done

            # Names that only hold what is typed take its place, for zsh would not find them like it. Of several nothing goes in:
            # what they have in common may be less than what is typed.
            value=${folders[1]-$others[1]}
            if [[ -n $value && ${value[1,$#asked[-1]]} != "$asked[-1]" ]]; then
                loose=(-U)
                (( $#folders + $#others > 1 )) && compstate[insert]=
            fi

            # zsh inserts what the quoted candidates have in common. Where they go on with different characters that all need quoting,
            # or a character is a byte to zsh (no locale) and they have a part of one in common, that would end in half of it: then the
            # common part of the names is the only match, or nothing goes in.
            if [[ -z $loose ]] && (( $#folders + $#others > 1 )); then
                common=${folders[1]-$others[1]} lone=1
                for value in "$folders[@]" "$others[@]"; do
                    while [[ ${value[1,$#common]} != "$common" ]]; do common=${common[1,-2]}; done
                done
                for (( at = 1; at <= 3 && at <= $#common && $#sample == 2; at++ )); do
                    byte=$common[-at]
                    (( code = #byte & 255, code >= 128 )) || break
                    (( code >= 192 )) || continue
                    (( at > (code >= 240 ? 3 : code >= 224 ? 2 : 1) )) || cut=1 common=${common[1,-at-1]}
                    break
                done
                for value in "$folders[@]" "$others[@]"; do
                    [[ -n $cut || -z $open && ${(q)value[$#common+1]} == [\\\$]* ]] || lone=
                done
                if [[ -n $lone && $#common -gt ${#asked[-1]} ]]; then
                    compadd -S '' -- "$common"
                    return
                fi
            fi

            (( $#folders )) && compadd $loose -V lockbook $lines -S '' -d folders_shown -a -- folders && added=0
            (( $#others )) && compadd $loose -V lockbook $lines -d others_shown -a -- others && added=0
            # A file may stand behind an option in the same word; behind `--` it may be called so.
            [[ $asked[-1] == --*=* && -z ${asked[(r)--]} ]] && compset -P 1 '*='
            case $directive in
                files) _files && added=0 ;;
                folders) _files -/ && added=0 ;;
            esac
            [[ -n $lone ]] && compstate[insert]=
            return added
        }

        if [[ ${funcstack[1]} == _lockbook ]]; then
            _lockbook "$@"
        else
            compdef _lockbook lockbook
        fi

        """####
}

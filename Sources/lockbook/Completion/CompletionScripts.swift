// Written by Tests/CommandTests/embed-completions from completions/; do not edit.

/// The scripts that connect the shells with `lockbook __complete`.
enum CompletionScripts {
    static let all = ["bash": bash, "zsh": zsh, "fish": fish]

    private static let bash = ####"""
        # bash completion for lockbook (bash 4.4 or newer).
        #
        # A thin adapter: `lockbook __complete` knows what can follow, this only carries words there and candidates back.
        # Names come from other people (shared folders), so nothing here is ever evaluated, expanded or globbed: no eval, no
        # `compgen -W`, no unquoted expansion. Quoting is bash's own `printf %q`.
        #
        # Asked:    lockbook __complete bash INDEX WORD...
        #           WORD... are the words from the program's name up to and including the one at the cursor, cut at the cursor,
        #           with quotes and backslashes taken off ('..', "..", $'..', \c; a quote still open counts). Redirections are
        #           left out. Nothing is expanded: $NAME, $(..), `..`, ~ and * arrive as typed. INDEX counts from 0.
        # Answered: records that end in NUL. First directive=space|nospace|files|folders, then VALUE or VALUE<tab>DESCRIPTION,
        #           where VALUE is the whole new word, unquoted.
        #
        # The `lockbook` of the PATH is asked, never the path that happens to stand on the line: Tab must not run a program that
        # Enter has not been pressed for.

        # Splits $1 as the shell would. Sets `words` (the last one is the unfinished word, perhaps empty), `quote` (the quote
        # that is open at the end: empty, ', ", or $') and `redirected` (not empty when the last word is where output goes).
        _lockbook_split() {
            local text=$1 length=${#1} i=0 j depth character next decoded word='' begun='' target=''
            words=() quote='' redirected=''
            while ((i < length)); do
                character=${text:i:1} next=${text:i+1:1}
                case $quote$character in
                    "''" | '""' | "\$''") quote='' ;;
                    "'"?) word+=$character ;;
                    "\$'\\")
                        if [[ ${text:i+1} =~ ^([0-7]{1,3}|x[[:xdigit:]]{1,2}|u[[:xdigit:]]{1,4}|[abeEfnrtv]) ]]; then
                            printf -v decoded '%b' "\\${BASH_REMATCH[1]}"
                            word+=$decoded
                            ((i += ${#BASH_REMATCH[1]}))
                        else
                            word+=$next
                            ((i += 1))
                        fi
                        ;;
                    "\$'"?) word+=$character ;;
                    '"\')
                        if [[ $next == [\$\`\"\\] ]]; then
                            word+=$next
                            ((i += 1))
                        else
                            word+=$character
                        fi
                        ;;
                    '$' | '"$')
                        if [[ $next == '(' ]]; then
                            for ((j = i + 2, depth = 1; j < length && depth > 0; j++)); do
                                case ${text:j:1} in
                                    '(') ((depth += 1)) ;;
                                    ')') ((depth -= 1)) ;;
                                esac
                            done
                            word+=${text:i:j-i}
                            ((i = j - 1))
                        elif [[ -z $quote && $next == [\'\"] ]]; then
                            if [[ $next == "'" ]]; then quote="\$'"; else quote='"'; fi
                            ((i += 1))
                        else
                            word+=$character
                        fi
                        begun=1
                        ;;
                    '"'?) word+=$character ;;
                    "'" | '"') quote=$character begun=1 ;;
                    '\')
                        word+=$next begun=1
                        ((i += 1))
                        ;;
                    [[:space:]] | [\<\>\;\&\|\(\)])
                        [[ $character == [\<\>] && $word != *[!0-9]* ]] && begun=''
                        if [[ -n $begun ]]; then
                            [[ -n $target ]] || words+=("$word")
                            target=''
                        fi
                        word='' begun=''
                        case $character in
                            [\<\>]) target=1 ;;
                            [\;\|\(\)]) [[ -n $target ]] || words=() ;;
                        esac
                        ;;
                    *) word+=$character begun=1 ;;
                esac
                ((i += 1))
            done
            words+=("$word") redirected=$target
        }

        # Sets `quoted` to $1 written so that bash reads it back as it is, inside the quote $2.
        _lockbook_quote() {
            quoted=$1
            case $2 in
                '') [[ -z $1 ]] || printf -v quoted '%q' "$1" ;;
                "'") quoted=${1//"'"/"'\\''"} ;;
                "\$'")
                    quoted=${1//'\'/'\\'}
                    quoted=${quoted//"'"/"\\'"}
                    ;;
                '"')
                    quoted=${1//'\'/'\\'}
                    quoted=${quoted//'"'/'\"'}
                    quoted=${quoted//'$'/'\$'}
                    quoted=${quoted//'`'/'\`'}
                    quoted=${quoted//'!'/"\"'!'\""}
                    ;;
            esac
        }

        _lockbook() {
            local IFS=$' \t\n'
            local line=${COMP_LINE:0:COMP_POINT} word=$2
            local words quote redirected quoted
            local records=() values=() shown=() record value leaf common shared kept context typed before
            COMPREPLY=()

            # readline replaces only $2, the part of the word after the last of COMP_WORDBREAKS (: and = among them) or after an
            # open quote. What stands before stays, and so a candidate has to begin with it.
            _lockbook_split "${line:0:${#line}-${#word}}"
            kept=${words[-1]} context=$quote
            _lockbook_split "$line"
            typed=${words[-1]}
            if [[ -n $redirected ]]; then
                compopt -o default
                return
            fi

            mapfile -d '' -t records < <(
                command lockbook __complete bash "$((${#words[@]} - 1))" "${words[@]}" </dev/null 2>/dev/null
            )
            for record in "${records[@]:1}"; do
                value=${record%%$'\t'*}
                [[ $value == *[[:cntrl:]]* ]] && continue
                [ "${value:0:${#kept}}" = "$kept" ] || continue
                values+=("$value")
                leaf=${value%/}
                leaf=${leaf##*/}${value:${#leaf}}
                [[ $record == *$'\t'?* ]] && leaf+="  (${record#*$'\t'})"
                shown+=("$leaf")
            done

            local directive=${records[0]-}
            case $directive in
                directive=files | directive=folders)
                    if ((${#values[@]} == 0)); then
                        if [[ $directive == directive=files ]]; then compopt -o default; else compopt -o dirnames; fi
                        return
                    fi
                    local disk=() kind=-f
                    [[ $directive == directive=folders ]] && kind=-d
                    mapfile -t disk < <(compgen "$kind" -- "$typed")
                    for value in "${disk[@]}"; do
                        [[ -d $value ]] && value+=/
                        [ "${value:0:${#kept}}" = "$kept" ] || continue
                        values+=("$value") shown+=("$value")
                    done
                    ;;
            esac

            case ${#values[@]} in
                0) return ;;
                1)
                    _lockbook_quote "${values[0]:${#kept}}" "$context"
                    quoted+=${context#\$}
                    # readline closes the quote that it takes for the open one unless that stands there already, and drops the
                    # opening one when what it inserts begins with another.
                    before=${line:0:${#line}-${#word}}
                    before=${before:${#before}?${#before}-1:0}
                    if [[ $before == [\'\"] ]]; then
                        [[ $before == "${context#\$}" ]] || quoted+=$before$before
                        [[ ${quoted:0:1} != "$before" ]] || quoted=$before$quoted
                    fi
                    COMPREPLY=("$quoted")
                    [[ $directive == directive=nospace || ${values[0]} == */ ]] && compopt -o nospace
                    return
                    ;;
            esac

            # Only a list is wanted (the second Tab): short names and their descriptions; nothing of it is inserted.
            if [[ ${COMP_TYPE-} == 63 ]]; then
                COMPREPLY=("${shown[@]}")
                return
            fi

            # readline inserts what the quoted candidates have in common. That may end inside an escape (`a\ b`, `a\$b`), or be
            # less than what stands there; then insert the common part of the names, or nothing.
            common=${values[0]}
            for value in "${values[@]}"; do
                while [ "${value:0:${#common}}" != "$common" ]; do common=${common%?}; done
                _lockbook_quote "${value:${#kept}}" "$context"
                COMPREPLY+=("$quoted")
            done
            shared=${COMPREPLY[0]}
            for value in "${COMPREPLY[@]}"; do
                while [ "${value:0:${#shared}}" != "$shared" ]; do shared=${shared%?}; done
            done
            _lockbook_quote "${common:${#kept}}" "$context"
            if [ "${common:0:${#typed}}" != "$typed" ]; then
                COMPREPLY+=(' ')
            elif [ "$shared" != "$quoted" ]; then
                if ((${#common} > ${#typed})); then
                    COMPREPLY=("$quoted")
                    compopt -o nospace
                else
                    COMPREPLY+=(' ')
                fi
            fi
        }

        complete -o nosort -F _lockbook lockbook

        """####

    private static let zsh = ####"""
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
            local open=${compstate[quote]#\$} record value leaf directive common lone added=1
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

            # zsh inserts what the quoted candidates have in common. Where they go on with different characters that all need a
            # backslash, that would end in a lone one: then the common part of the names is the only match, or nothing goes in.
            if [[ -z $open && -z $loose ]] && (( $#folders + $#others > 1 )); then
                common=${folders[1]-$others[1]} lone=1
                for value in "$folders[@]" "$others[@]"; do
                    while [[ ${value[1,$#common]} != "$common" ]]; do common=${common[1,-2]}; done
                done
                for value in "$folders[@]" "$others[@]"; do
                    [[ ${(q)value[$#common+1]} == \\* ]] || lone=
                done
                if [[ -n $lone && $#common -gt ${#asked[-1]} ]]; then
                    compadd -S '' -- "$common"
                    return
                fi
            fi

            (( $#folders )) && compadd $loose -V lockbook $lines -S '' -d folders_shown -a -- folders && added=0
            (( $#others )) && compadd $loose -V lockbook $lines -d others_shown -a -- others && added=0
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

    private static let fish = ####"""
        # fish completion for lockbook (fish 3.2 or newer).
        #
        # A thin adapter: `lockbook __complete` knows what can follow, this only carries words there and candidates back.
        # Names come from other people (shared folders), so nothing here is ever evaluated or expanded; fish itself escapes what
        # it inserts.
        #
        # Asked:    lockbook __complete fish INDEX WORD...
        #           WORD... are the words from the program's name up to and including the one at the cursor, cut at the cursor,
        #           unescaped by fish (a quote still open counts). Variables set in front of the program are left out; the file
        #           of a redirection counts as a word, for fish 3 does not tell. Nothing is executed. INDEX counts from 0.
        # Answered: records that end in NUL. First directive=space|nospace|files|folders, then VALUE or VALUE<tab>DESCRIPTION,
        #           where VALUE is the whole new word, unquoted. fish adds no space after a value that ends in / = : or @.
        #
        # The `lockbook` of the path is asked, never what stands on the line: Tab must not run a program that Enter has not been
        # pressed for.

        function __lockbook_complete
            set -l words (commandline --tokenize --current-process --cut-at-cursor)
            while set -q words[1]; and string match --quiet --regex '^[A-Za-z_][A-Za-z_0-9]*=' -- $words[1]
                set -e words[1]
            end
            set -l typed (commandline --current-token --cut-at-cursor)
            # A quote that is still open is closed first, a lone backslash at the end dropped.
            set -l current ''
            for attempt in "$typed" "$typed'" "$typed\"" (string replace --regex '\\\\$' '' -- "$typed")
                set -l text (string unescape -- $attempt); or continue
                set current "$text"
                break
            end

            set -l records (
                command lockbook __complete fish (count $words) $words $current </dev/null 2>/dev/null | string split0
            )
            switch "$records[1]"
                case directive=files
                    __fish_complete_path $typed
                case directive=folders
                    __fish_complete_directories $typed ''
            end
            for record in $records[2..-1]
                set -l parts (string split --max 1 \t -- $record)
                string match --quiet --regex '[[:cntrl:]]' -- $parts[1]; and continue
                printf '%s\t%s\n' $parts[1] "$parts[2]"
            end
        end

        complete --command lockbook --no-files --keep-order --arguments '(__lockbook_complete)'

        """####
}

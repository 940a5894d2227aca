// Written by Tests/CommandTests/embed-completions from completions/; do not edit.

extension CompletionScripts {
    static let bash = ####"""
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

        # Cuts off `common` the beginning of a character of which it has not all: to bash a character is a byte where the locale says
        # so, as it does where there is none.
        _lockbook_whole() {
            local sample=$'\303\251' i code
            ((${#sample} == 2)) || return 0
            for ((i = 1; i <= 3 && i <= ${#common}; i++)); do
                printf -v code '%d' "'${common:${#common}-i:1}"
                ((code &= 255, code >= 128)) || return 0
                ((code >= 192)) || continue
                ((i > (code >= 240 ? 3 : code >= 224 ? 2 : 1))) || common=${common:0:${#common}-i}
                return 0
            done
        }

        _lockbook() {
            local IFS=$' \t\n'
            local line=${COMP_LINE:0:COMP_POINT} word=$2
            local words quote redirected quoted
            local records=() values=() shown=() helps=() record value help leaf common shared kept context typed before i
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
                help=''
                [[ $record == *$'\t'?* ]] && help="  (${record#*$'\t'})"
                shown+=("$leaf$help") helps+=("$help")
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
                        values+=("$value") shown+=("$value") helps+=('')
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
            _lockbook_whole
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

            # The first Tab shows the list with `show-all-if-ambiguous` (33) and `show-all-if-unmodified` (64) in ~/.inputrc. What
            # stands behind the candidates is not inserted: it changes nothing of what they have in common.
            if [[ ${COMP_TYPE-} == 33 || ${COMP_TYPE-} == 64 ]] && ((${#COMPREPLY[@]} >= ${#values[@]})); then
                for i in "${!helps[@]}"; do COMPREPLY[i]+=${helps[i]}; done
            fi
        }

        complete -o nosort -F _lockbook lockbook

        """####
}

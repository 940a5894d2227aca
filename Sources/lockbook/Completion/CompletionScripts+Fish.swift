// Written by Tests/CommandTests/embed-completions from completions/; do not edit.

extension CompletionScripts {
    static let fish = ####"""
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
                    # As `__fish_complete_directories` does it: fish itself knows what `~`, variables and quotes mean.
                    complete --do-complete "nonexistentcommandooheehoohaahaahdingdongwallawallabingbang $typed"
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

# Counts, for the tests in bash that source it; with `shows_all=1` it says, too, what is well.
# shellcheck shell=bash disable=SC2034
passed=0 failed=0

# check WHAT COMMAND...: whether the command ends well
check() {
    local what=$1
    shift
    if "$@"; then
        ((passed += 1))
        [[ -z ${shows_all-} ]] || printf 'ok   %s\n' "$what"
    else
        ((failed += 1))
        printf 'FAIL %s\n' "$what"
    fi
}

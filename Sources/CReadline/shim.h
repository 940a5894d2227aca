#include <stdio.h>
#include <readline/readline.h>
#include <readline/history.h>

// Readline is not linked: every start of the program would pay for a library that one command needs. The shell
// loads it and looks its functions up; these are their types, as the header has them.
typedef __typeof__(&rl_initialize) readline_initialize;
typedef __typeof__(&rl_callback_handler_install) readline_handler_install;
typedef __typeof__(&rl_callback_handler_remove) readline_handler_remove;
typedef __typeof__(&rl_callback_read_char) readline_read_char;
typedef __typeof__(&rl_callback_sigcleanup) readline_signal_cleanup;
typedef __typeof__(&rl_free_line_state) readline_free_line_state;
typedef __typeof__(&rl_get_keymap_by_name) readline_keymap_named;
typedef __typeof__(&rl_bind_key_in_map) readline_bind_key;
typedef __typeof__(&rl_delete_text) readline_delete_text;
typedef __typeof__(&rl_insert_text) readline_insert_text;
typedef __typeof__(&rl_begin_undo_group) readline_undo_group;
typedef __typeof__(&rl_redisplay) readline_redisplay;
typedef __typeof__(&rl_on_new_line) readline_on_new_line;
typedef __typeof__(&rl_resize_terminal) readline_resize;
typedef __typeof__(&rl_prep_terminal) readline_prepare_terminal;
typedef __typeof__(&rl_deprep_terminal) readline_restore_terminal;
typedef __typeof__(&rl_ding) readline_bell;
typedef __typeof__(&add_history) readline_add_history;
typedef __typeof__(&stifle_history) readline_stifle_history;
typedef rl_command_func_t *readline_command;
typedef rl_vcpfunc_t *readline_line_handler;

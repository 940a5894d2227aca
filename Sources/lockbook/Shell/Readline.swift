import CReadline
import Glibc

/// GNU readline as it is loaded by the shell, and by nothing else.
///
/// To link it would cost every start of the program two libraries.
struct Readline: Sendable {
    /// What `dlopen` returned; an address, for a pointer could not be shared.
    private let library: UInt
    static let name = "libreadline.so.8"

    /// The library; nil when it is not on this machine.
    static let loaded: Readline? = dlopen(name, RTLD_NOW | RTLD_GLOBAL).map {
        Readline(library: UInt(bitPattern: $0))
    }

    private func address(_ symbol: String) -> UnsafeMutableRawPointer? {
        dlsym(UnsafeMutableRawPointer(bitPattern: library), symbol)
    }

    /// Hands a function of the library to whoever calls it; what an older library lacks is not called.
    private func call<Function, Result>(
        _ symbol: String,
        as type: Function.Type,
        _ body: (Function) -> Result
    ) -> Result? {
        address(symbol).map { body(unsafeBitCast($0, to: type)) }
    }

    private func variable<Value>(_ symbol: String, _ type: Value.Type) -> UnsafeMutablePointer<
        Value
    >? {
        address(symbol)?.assumingMemoryBound(to: type)
    }
}

extension Readline {
    /// Reads the user's settings, and leaves signals to us.
    func initialize(tab: @escaping readline_command) {
        // Settings may be for us alone: `$if lockbook`.
        variable("rl_readline_name", UnsafePointer<CChar>?.self)?.pointee =
            UnsafePointer(strdup("lockbook"))
        variable("rl_catch_signals", Int32.self)?.pointee = 0
        variable("rl_catch_sigwinch", Int32.self)?.pointee = 0
        _ = call("rl_initialize", as: readline_initialize.self) { $0() }
        for map in ["emacs-standard", "vi-insert"] {
            _ = call("rl_get_keymap_by_name", as: readline_keymap_named.self) { named in
                guard let map = named(map) else { return }
                _ = call("rl_bind_key_in_map", as: readline_bind_key.self) {
                    _ = $0(Int32(UInt8(ascii: "\t")), tab, map)
                }
            }
        }
    }

    /// Shows the prompt and begins a line, which goes to the handler when it is done.
    func begin(prompt: String, handler: @escaping readline_line_handler) {
        _ = call("rl_callback_handler_install", as: readline_handler_install.self) {
            $0(prompt, handler)
        }
    }

    /// Gives the terminal back as it was.
    func end() {
        _ = call("rl_callback_handler_remove", as: readline_handler_remove.self) { $0() }
    }

    /// Gives up what was typed so far, and whatever mode readline was in.
    func abandon() {
        _ = call("rl_callback_sigcleanup", as: readline_signal_cleanup.self) { $0() }
        _ = call("rl_free_line_state", as: readline_free_line_state.self) { $0() }
    }

    /// Reads one key and does what it stands for.
    func readKey() {
        _ = call("rl_callback_read_char", as: readline_read_char.self) { $0() }
    }

    /// The line up to the cursor, in bytes.
    var typed: [UInt8] {
        guard let text = variable("rl_line_buffer", UnsafeMutablePointer<CChar>?.self)?.pointee,
            let point = variable("rl_point", Int32.self)?.pointee
        else { return [] }
        return (0..<Int(point)).map { UInt8(bitPattern: text[$0]) }
    }

    /// Puts a text in the place of what stands between a byte of the line and the cursor; one undo.
    func replace(from start: Int, with text: String) {
        guard let point = variable("rl_point", Int32.self) else { return }
        _ = call("rl_begin_undo_group", as: readline_undo_group.self) { $0() }
        _ = call("rl_delete_text", as: readline_delete_text.self) {
            $0(Int32(start), point.pointee)
        }
        point.pointee = Int32(start)
        _ = call("rl_insert_text", as: readline_insert_text.self) { $0(text) }
        _ = call("rl_end_undo_group", as: readline_undo_group.self) { $0() }
        redisplay()
    }

    /// Draws prompt and line again, below what was printed meanwhile.
    func redisplayBelow() {
        _ = call("rl_on_new_line", as: readline_on_new_line.self) { $0() }
        redisplay()
    }

    private func redisplay() {
        _ = call("rl_redisplay", as: readline_redisplay.self) { $0() }
    }

    func ring() {
        _ = call("rl_ding", as: readline_bell.self) { $0() }
    }

    func fitWindow() {
        _ = call("rl_resize_terminal", as: readline_resize.self) { $0() }
    }

    /// Around a stop of the process: the terminal is the other shell's meanwhile.
    func lendTerminal(_ body: () -> Void) {
        _ = call("rl_deprep_terminal", as: readline_restore_terminal.self) { $0() }
        body()
        _ = call("rl_prep_terminal", as: readline_prepare_terminal.self) { $0(1) }
        redisplayBelow()
    }

    /// Lines that the arrows bring back, the oldest first.
    func remember(_ lines: [String], atMost limit: Int) {
        for line in lines {
            _ = call("add_history", as: readline_add_history.self) { $0(line) }
        }
        _ = call("stifle_history", as: readline_stifle_history.self) { $0(Int32(limit)) }
    }
}

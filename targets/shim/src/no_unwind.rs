//! Stubs that replace the unwinder, because a panic aborts and nothing unwinds. `build.rs` discards the unwind tables too.
//! Unwinder, tables, and the code for backtraces would be a third of the binary. A panic still prints its message and location.
#![expect(unsafe_code, reason = "the linker finds the unwinder by its names")]

/// `_URC_END_OF_STACK`: no more frames.
const END_OF_STACK: i32 = 5;

/// Reports an empty stack.
#[unsafe(no_mangle)]
const extern "C" fn _Unwind_Backtrace(_visit: *const (), _with: *mut ()) -> i32 {
    END_OF_STACK
}

macro_rules! never {
    ($($name:ident)*) => {$(
        /// Never called, because nothing unwinds.
        #[unsafe(no_mangle)]
        extern "C" fn $name() -> ! {
            std::process::abort()
        }
    )*};
}

never! {
    _Unwind_DeleteException _Unwind_FindEnclosingFunction _Unwind_GetCFA _Unwind_GetDataRelBase _Unwind_GetIP
    _Unwind_GetIPInfo _Unwind_GetLanguageSpecificData _Unwind_GetRegionStart _Unwind_GetTextRelBase
    _Unwind_RaiseException _Unwind_Resume _Unwind_SetGR _Unwind_SetIP
}

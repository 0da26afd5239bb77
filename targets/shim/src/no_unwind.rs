//! Nobody unwinds where a panic aborts: these stand in for the library that would (`build.rs` leaves its tables out too),
//! and with it goes what draws the backtrace of a program without symbols: together a third of the file. A panic still
//! says its words and its place.
#![expect(unsafe_code, reason = "the linker finds the unwinder by its names")]

/// `_URC_END_OF_STACK`: there is no frame to look at.
const END_OF_STACK: i32 = 5;

/// The stack has no frames.
#[unsafe(no_mangle)]
const extern "C" fn _Unwind_Backtrace(_visit: *const (), _with: *mut ()) -> i32 {
    END_OF_STACK
}

macro_rules! never {
    ($($name:ident)*) => {$(
        /// Never called: it serves an unwinding that does not happen.
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

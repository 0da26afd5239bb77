//! Java options that are often used with Spark. Their names, types, and bounds are from `java -XX:+PrintFlagsFinal` and
//! `-XX:+PrintFlagsRanges` of OpenJDK 17. Options that were removed are from `globals.hpp` of OpenJDK 8 and 11.

/// Type of the value of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A boolean: `-XX:+Name` or `-XX:-Name`.
    Flag,
    /// A number, optionally with a unit such as `k`, `m`, or `g`, from a minimum to a maximum.
    Number(i64, i64),
    /// A number from 0 to 100.
    Percentage,
    /// Any string.
    Text,
}

use Kind::{Flag, Number, Percentage, Text};

const ANY: Kind = Number(0, i64::MAX);
const PART: Kind = Number(0, 100);

/// Options that no release up to 25 has removed.
#[rustfmt::skip]
pub const LASTING: &[(&str, Kind)] = &[
    ("ActiveProcessorCount", Number(-1, i64::MAX)), ("AlwaysPreTouch", Flag), ("AutoCreateSharedArchive", Flag),
    ("C1MaxInlineLevel", ANY), ("CICompilerCount", ANY), ("CompressedClassSpaceSize", ANY), ("ConcGCThreads", ANY),
    ("CrashOnOutOfMemoryError", Flag), ("DisableExplicitGC", Flag), ("ErrorFile", Text),
    ("ExitOnOutOfMemoryError", Flag), ("ExplicitGCInvokesConcurrent", Flag), ("FlightRecorderOptions", Text),
    ("G1ConcRefinementThreads", ANY), ("G1HeapRegionSize", Number(0, 512 << 20)), ("G1HeapWastePercent", PART),
    ("G1MixedGCCountTarget", ANY), ("G1PeriodicGCInterval", ANY), ("G1RSetUpdatingPauseTimePercent", PART),
    ("G1ReservePercent", Number(0, 50)), ("G1UseAdaptiveIHOP", Flag), ("GCHeapFreeLimit", PART),
    ("GCTimeLimit", PART), ("GCTimeRatio", ANY), ("HeapDumpOnOutOfMemoryError", Flag), ("HeapDumpPath", Text),
    ("IgnoreUnrecognizedVMOptions", Flag), ("InitialCodeCacheSize", ANY), ("InitialRAMPercentage", Percentage),
    ("InitialHeapSize", ANY), ("InitiatingHeapOccupancyPercent", PART), ("MaxDirectMemorySize", ANY),
    ("MaxGCPauseMillis", Number(1, i64::MAX)), ("MaxHeapFreeRatio", PART), ("MaxInlineLevel", ANY),
    ("MaxJavaStackTraceDepth", ANY), ("MaxMetaspaceSize", ANY), ("MaxNewSize", ANY), ("MaxRAMPercentage", Percentage),
    ("MaxTenuringThreshold", Number(0, 16)), ("MetaspaceSize", ANY), ("MinHeapFreeRatio", PART), ("MinHeapSize", ANY),
    ("MinRAMPercentage", Percentage), ("NativeMemoryTracking", Text), ("NewRatio", ANY), ("NewSize", ANY),
    ("OmitStackTraceInFastThrow", Flag), ("OnError", Text), ("OnOutOfMemoryError", Text), ("ParallelGCThreads", ANY),
    ("ParallelRefProcEnabled", Flag), ("PerfDisableSharedMem", Flag), ("PreserveFramePointer", Flag),
    ("PrintCommandLineFlags", Flag), ("PrintFlagsFinal", Flag), ("PrintGC", Flag), ("PrintGCDetails", Flag),
    ("ReservedCodeCacheSize", ANY), ("ResizePLAB", Flag), ("ResizeTLAB", Flag), ("SegmentedCodeCache", Flag), ("SharedArchiveFile", Text),
    ("SoftRefLRUPolicyMSPerMB", ANY), ("StartFlightRecording", Text), ("StringTableSize", ANY), ("SurvivorRatio", Number(1, i64::MAX)),
    ("TargetSurvivorRatio", PART), ("ThreadStackSize", ANY), ("TieredCompilation", Flag), ("TieredStopAtLevel", Number(0, 4)),
    ("UnlockDiagnosticVMOptions", Flag), ("UnlockExperimentalVMOptions", Flag), ("UseAES", Flag), ("UseAVX", ANY),
    ("UseAdaptiveSizePolicy", Flag), ("UseCodeCacheFlushing", Flag), ("UseCompressedClassPointers", Flag),
    ("UseCompressedOops", Flag), ("UseContainerSupport", Flag), ("UseCountedLoopSafepoints", Flag), ("UseFMA", Flag), ("UseG1GC", Flag),
    ("UseGCOverheadLimit", Flag), ("UseLargePages", Flag), ("UseNUMA", Flag), ("UseParallelGC", Flag),
    ("UsePerfData", Flag), ("UseSerialGC", Flag), ("UseShenandoahGC", Flag), ("UseStringDeduplication", Flag),
    ("UseTLAB", Flag), ("UseTransparentHugePages", Flag), ("UseZGC", Flag), ("VMThreadStackSize", ANY),
];

/// Options that were removed, each with the last release that supports it.
#[rustfmt::skip]
pub const REMOVED: &[(&str, Kind, u8)] = &[
    ("AggressiveOpts", Flag, 12), ("CMSClassUnloadingEnabled", Flag, 14), ("CMSIncrementalMode", Flag, 9),
    ("CMSInitiatingOccupancyFraction", PART, 14), ("CMSParallelRemarkEnabled", Flag, 14), ("CMSScavengeBeforeRemark", Flag, 14),
    ("GCLogFileSize", ANY, 8), ("MaxPermSize", ANY, 16), ("NumberOfGCLogFiles", ANY, 8), ("PermSize", ANY, 16),
    ("PrintAdaptiveSizePolicy", Flag, 8), ("PrintGCApplicationConcurrentTime", Flag, 8),
    ("PrintGCApplicationStoppedTime", Flag, 8), ("PrintGCCause", Flag, 8), ("PrintGCDateStamps", Flag, 8),
    ("PrintGCTimeStamps", Flag, 8), ("PrintHeapAtGC", Flag, 8), ("PrintPromotionFailure", Flag, 8),
    ("PrintReferenceGC", Flag, 8), ("PrintTenuringDistribution", Flag, 8), ("UseBiasedLocking", Flag, 18),
    ("UseCMSCompactAtFullCollection", Flag, 9), ("UseCMSInitiatingOccupancyOnly", Flag, 14),
    ("UseConcMarkSweepGC", Flag, 14), ("UseGCLogFileRotation", Flag, 8), ("UseParNewGC", Flag, 10),
    ("UseParallelOldGC", Flag, 15),
];

/// Options that Java accepts only after another option that unlocks them. The third element is the unlocking option.
#[rustfmt::skip]
pub const LOCKED: &[(&str, Kind, &str)] = &[
    ("DebugNonSafepoints", Flag, DIAGNOSTIC), ("G1MaxNewSizePercent", PART, EXPERIMENTAL),
    ("G1MixedGCLiveThresholdPercent", PART, EXPERIMENTAL), ("G1NewSizePercent", PART, EXPERIMENTAL),
    ("G1OldCSetRegionThresholdPercent", PART, EXPERIMENTAL), ("PrintNMTStatistics", Flag, DIAGNOSTIC),
];
const DIAGNOSTIC: &str = "-XX:+UnlockDiagnosticVMOptions";
const EXPERIMENTAL: &str = "-XX:+UnlockExperimentalVMOptions";

/// Options that do not begin with `-XX:`, and to which no value is appended.
#[rustfmt::skip]
pub const WHOLE: &[&str] = &[
    "-Xbatch", "-Xcheck:jni", "-Xcomp", "-Xdebug", "-Xdiag", "-Xfuture", "-Xint", "-Xlog", "-Xmixed", "-Xnoclassgc", "-Xrs",
    "-Xshare:auto", "-Xshare:off", "-Xshare:on", "-XshowSettings", "-Xverify", "-Xverify:all", "-Xverify:none", "-Xverify:remote",
    "-client", "-da", "-disableassertions", "-disablesystemassertions", "-dsa", "-ea", "-enableassertions",
    "-enablesystemassertions", "-esa", "-noverify", "-server", "-showversion", "-verbose", "--enable-preview", "--show-version",
];

/// Prefixes of options other than `-XX:…`. The value follows the prefix directly.
#[rustfmt::skip]
pub const BEGUN: &[&str] = &[
    "-D", "-Xbootclasspath/a:", "-Xlog:", "-Xloggc:", "-Xmn", "-Xms", "-Xrunjdwp:", "-XshowSettings:", "-Xss", "-agentlib:",
    "-agentpath:", "-da:", "-disableassertions:", "-ea:", "-enableassertions:", "-javaagent:", "-splash:", "-verbose:",
    "--add-exports=", "--add-modules=", "--add-opens=", "--add-reads=", "--enable-native-access=", "--illegal-access=",
    "--limit-modules=", "--module-path=", "--patch-module=", "--upgrade-module-path=", "@",
];

/// Options that do not begin with `-XX:` and were removed, each with the last release that supports it.
pub const ENDED: &[(&str, u8)] = &[("-Xincgc", 8), ("-d32", 9), ("-d64", 9)];

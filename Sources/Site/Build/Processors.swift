import Glibc

/// How many processors the machine has for us.
public enum Processors {
  /// At least 1.
  public static var count: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}

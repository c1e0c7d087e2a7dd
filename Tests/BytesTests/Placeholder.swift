import Testing
@testable import Bytes

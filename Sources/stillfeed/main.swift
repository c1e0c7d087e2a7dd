import Bytes

var greeting = ByteBuffer()
greeting.append("stillfeed\n")
print(greeting.string)

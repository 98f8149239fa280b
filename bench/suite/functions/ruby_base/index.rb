# Says hello with nothing but the runtime: the function whose start brings the runtime's base to a node.
require "socket"

server = TCPServer.new("0.0.0.0", ENV.fetch("PORT").to_i)
loop do
  client = server.accept
  while (line = client.gets) && line != "\r\n"; end
  client.write("HTTP/1.0 200 OK\r\nContent-Length: 6\r\n\r\nhello\n")
  client.close
end

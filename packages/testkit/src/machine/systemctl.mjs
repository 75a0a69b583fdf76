// In the place of systemctl: hands its words to the first process of the machine, and ends as that says.
import net from 'node:net'

const socket = net.connect('/run/units.sock')
let text = ''
socket.setEncoding('utf8').on('data', (part) => (text += part))
socket.on('error', (error) => {
  console.error(error.message)
  process.exitCode = 1
})
socket.on('end', () => {
  const { code, says } = JSON.parse(text)
  if (says) (code === 0 ? console.log : console.error)(says)
  process.exitCode = code
})
socket.write(`${JSON.stringify(process.argv.slice(2))}\n`)

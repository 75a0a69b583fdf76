// Replaces systemctl: passes its arguments to the machine's first process, and exits with the answer.
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

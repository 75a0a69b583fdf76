import { once } from 'node:events'
import net from 'node:net'
import { pipeline } from 'node:stream'
import { fileURLToPath } from 'node:url'

/** A port of the local loopback, or a socket in a folder that the machine and this host share. */
export type End = number | string

const addressOf = (end: End) => (typeof end === 'number' ? { host: '127.0.0.1', port: end } : { path: end })

/** Connects the two ends. */
export async function wire(from: End, to: End): Promise<net.Server> {
  const server = net.createServer({ allowHalfOpen: true }, (near) => {
    const far = net.connect({ ...addressOf(to), allowHalfOpen: true })
    // if either end closes, the other one is closed
    pipeline(near, far, near, () => {})
  })
  server.listen(addressOf(from))
  await once(server, 'listening')
  return server
}

// Inside the machine this runs as a program, which prints a line once it listens.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [from, to] = process.argv
    .slice(2)
    .map((word) => (Number.isNaN(Number(word)) ? word : Number(word))) as [End, End]
  await wire(from, to)
  console.log('up')
}

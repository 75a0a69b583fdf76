import { once } from 'node:events'
import net from 'node:net'
import { pipeline } from 'node:stream'
import { fileURLToPath } from 'node:url'

/** A port of the loopback where this runs, or a socket in a folder that a machine and this one both see. */
export type End = number | string

const placeOf = (end: End) => (typeof end === 'number' ? { host: '127.0.0.1', port: end } : { path: end })

/** Connects the two ends. */
export async function wire(from: End, to: End): Promise<net.Server> {
  const server = net.createServer({ allowHalfOpen: true }, (near) => {
    const far = net.connect({ ...placeOf(to), allowHalfOpen: true })
    // either may end at any time, and the other end is closed
    pipeline(near, far, near, () => {})
  })
  server.listen(placeOf(from))
  await once(server, 'listening')
  return server
}

// Inside of a machine: as a program of its own, which says when it listens.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [from, to] = process.argv
    .slice(2)
    .map((word) => (Number.isNaN(Number(word)) ? word : Number(word))) as [End, End]
  await wire(from, to)
  console.log('up')
}

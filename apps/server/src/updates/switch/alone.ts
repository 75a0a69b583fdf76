import { createHash } from 'node:crypto'
import net from 'node:net'

/** Undefined while another switch of the same installation runs. It ends with the process, however that ends. */
export function holdAlone(root: string): Promise<(() => void) | undefined> {
  const name = `\0pulse-switch-${createHash('sha256').update(root).digest('hex').slice(0, 32)}`
  const server = net.createServer((socket) => socket.destroy())
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    )
    server.listen(name, () => resolve(() => void server.close()))
  })
}

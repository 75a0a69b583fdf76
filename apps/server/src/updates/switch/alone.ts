import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'

/**
 * Undefined while another switch of the same installation runs. The lock ends with the process in any case.
 * An abstract socket name is open to every user of the machine, and the first one to bind it could block
 * updates forever.
 */
export async function holdAlone(root: string): Promise<(() => void) | undefined> {
  const socketPath = path.join(root, 'switch.sock')
  const mine = await listen(socketPath)
  if (mine) return mine
  if (await isHeld(socketPath)) return undefined
  // left by a killed switch
  fs.rmSync(socketPath, { force: true })
  return listen(socketPath)
}

async function listen(socketPath: string): Promise<(() => void) | undefined> {
  const server = net.createServer((socket) => socket.destroy())
  try {
    server.listen(socketPath)
    await once(server, 'listening')
    return () => void server.close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined
    throw error
  }
}

async function isHeld(socketPath: string): Promise<boolean> {
  const socket = net.connect(socketPath)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

import { spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import {
  handoverFolder,
  progressFile,
  requestFile,
  stagedFolder,
  type SwitchProgress,
  UpdateRequest,
} from '../handover.ts'
import { keepAside, keptAs, putBack, roomFor, takeMarkAway } from './data.ts'
import { writeDurably } from './durable.ts'

/** The argument with which this program calls itself. */
export const ownerCommand = 'as-owner'
const maxRequestBytes = 4_096

/** Actions in the data folder. Each runs in a process with no more rights than the folder's owner. */
const commands: Record<string, (data: string, argument: string) => Promise<void> | void> = {
  /** Prints the request and records that it was received, before removing it. */
  async take(data) {
    const file = path.join(data, requestFile)
    const stat = fs.lstatSync(file, { throwIfNoEntry: false })
    if (!stat) return
    // reading a pipe would block, and a device has no end
    const isReadable = stat.isFile() && stat.size <= maxRequestBytes
    const request = UpdateRequest.safeParse(isReadable ? parse(fs.readFileSync(file, 'utf8')) : undefined)
    if (request.success) {
      const heard = {
        id: request.data.id,
        status: 'verifying',
        progress: 35,
        message: 'Checking the release',
      }
      writeDurably(
        path.join(data, progressFile),
        JSON.stringify({ ...heard, updatedAt: new Date().toISOString() }),
      )
    }
    fs.rmSync(file, { recursive: true })
    if (!request.success) throw new Error(`${file} was not an update request and was deleted.`)
    process.stdout.write(JSON.stringify(request.data))
  },
  async read(data, name) {
    const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants
    // opening a pipe would block
    const handle = await fs.promises.open(
      path.join(data, stagedFolder, path.basename(name)),
      O_RDONLY | O_NONBLOCK | O_NOFOLLOW,
    )
    if (!(await handle.stat()).isFile()) throw new Error(`${name} is not a file.`)
    await pipeline(handle.createReadStream(), process.stdout)
  },
  async tell(data) {
    fs.mkdirSync(path.join(data, handoverFolder), { recursive: true, mode: 0o700 })
    writeDurably(path.join(data, progressFile), await text(process.stdin))
  },
  room: (data) => void process.stdout.write(JSON.stringify(roomFor(data))),
  keep: keepAside,
  'put-back': putBack,
  open: takeMarkAway,
  clear: (data) => fs.rmSync(path.join(data, stagedFolder), { recursive: true, force: true }),
}

export async function runOwnerCommand([name = '', data = '', argument = '']: string[]): Promise<void> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command || !path.isAbsolute(data)) throw new Error(`${ownerCommand} ${name}: unknown command.`)
  await command(data, argument)
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Root becomes the owner of the folder; any other user stays itself. */
export function ownerOf(data: string): Pick<SpawnOptions, 'uid' | 'gid' | 'cwd'> {
  const { uid, gid } = fs.statSync(data)
  return process.getuid?.() === 0 ? { uid, gid, cwd: '/' } : { cwd: '/' }
}

export interface Owner {
  take(): Promise<UpdateRequest | undefined>
  /** Copies a staged file to our own folder; throws when it is larger than `maxBytes`. */
  fetch(name: string, to: string, maxBytes: number): Promise<void>
  tell(progress: SwitchProgress): Promise<void>
  room(): Promise<{ needed: number; free: number }>
  keep(stamp: string): Promise<void>
  putBack(stamp: string): Promise<void>
  /** Pulse may start on the data again. */
  open(): Promise<void>
  clear(): Promise<void>
  keptAs(stamp: string): string
}

export function ownerWorks(data: string): Owner {
  const start = (name: string, argument: string) =>
    spawn(process.execPath, [process.argv[1]!, ownerCommand, name, data, argument], {
      ...ownerOf(data),
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { PATH: process.env['PATH'] },
    })

  async function run(name: string, argument = '', input = ''): Promise<string> {
    const child = start(name, argument)
    const ended = once(child, 'close') as Promise<[number | null]>
    // it may end before it has read all input
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    const said = await text(child.stdout)
    const [code] = await ended
    if (code !== 0) throw new Error(`Working on ${data} failed (${name}); see the error above.`)
    return said
  }

  return {
    async take() {
      const said = await run('take')
      return said === '' ? undefined : UpdateRequest.parse(JSON.parse(said))
    },
    async fetch(name, to, maxBytes) {
      const child = start('read', name)
      const ended = once(child, 'close') as Promise<[number | null]>
      child.stdin.end()
      let bytes = 0
      try {
        await pipeline(
          child.stdout,
          async function* bounded(source: AsyncIterable<Buffer>) {
            for await (const chunk of source) {
              bytes += chunk.length
              if (bytes > maxBytes) throw new Error(`${name} is larger than ${maxBytes} bytes.`)
              yield chunk
            }
          },
          fs.createWriteStream(to, { flags: 'wx', mode: 0o600 }),
        )
      } catch (error) {
        // it ends on its own when its output is closed; the unit may not signal processes of another user
        await ended
        throw error
      }
      const [code] = await ended
      if (code !== 0) throw new Error(`${name} cannot be read; see the error above.`)
    },
    tell: async (progress) => void (await run('tell', '', JSON.stringify(progress))),
    room: async () => JSON.parse(await run('room')) as { needed: number; free: number },
    keep: async (stamp) => void (await run('keep', stamp)),
    putBack: async (stamp) => void (await run('put-back', stamp)),
    open: async () => void (await run('open')),
    clear: async () => void (await run('clear')),
    keptAs: (stamp) => keptAs(data, stamp),
  }
}

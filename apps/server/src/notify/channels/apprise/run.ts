import type { Clock } from '@pulse/domain'
import { spawn } from 'node:child_process'

const maxOutput = 64 * 1024

export interface Ended {
  /** undefined: it could not be run, or was stopped */
  code: number | undefined
  gaveUp: boolean
  output: string
}

/** Arguments alone, no shell. Title and body are values of their options, targets stand behind `--`. */
export const appriseArguments = (
  words: { title: string; body: string; type: string },
  targets: readonly string[],
): string[] => [
  `--title=${argument(words.title)}`,
  `--body=${argument(words.body)}`,
  `--notification-type=${words.type}`,
  '--input-format=text',
  '--',
  ...targets,
]

/** No program can be given a zero byte. */
const argument = (text: string): string => text.toWellFormed().replaceAll('\0', ' ')

/** Nothing of our own environment: neither secrets nor settings that change what it does. */
const environment = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LANG: 'C.UTF-8',
  HOME: '/nonexistent',
  PYTHONDONTWRITEBYTECODE: '1',
  PYTHONNOUSERSITE: '1',
}

/** Ends with the program, or with its whole process group when time is up. */
export function runApprise(
  program: string,
  args: readonly string[],
  { clock, limitMs, signal }: { clock: Clock; limitMs: number; signal: AbortSignal },
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: '/',
      env: environment,
      detached: true, // a process group of its own
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: false,
    })
    const chunks: Buffer[] = []
    let size = 0
    let gaveUp = false
    const keep = (chunk: Buffer) => {
      if (size < maxOutput) chunks.push(chunk)
      size += chunk.length
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    const stop = () => {
      gaveUp = true
      endGroup(child.pid)
    }
    const cancel = clock.after(limitMs, stop)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    const end = (code: number | undefined, error = '') => {
      cancel()
      signal.removeEventListener('abort', stop)
      const output = Buffer.concat(chunks).subarray(0, maxOutput).toString()
      resolve({ code, gaveUp, output: output || error })
    }
    child.on('error', (error) => end(undefined, error.message))
    // What it has started may hold its output open for longer than it lives.
    child.on('exit', () => endGroup(child.pid))
    child.on('close', (code) => end(gaveUp ? undefined : (code ?? undefined)))
  })
}

function endGroup(pid: number | undefined) {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

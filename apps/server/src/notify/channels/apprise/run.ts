import type { Clock } from '@pulse/domain'
import { spawn } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'

/** Usual places of the program. The PATH of the process is not searched. */
const folders = ['/usr/local/bin', '/usr/bin', '/opt/apprise/bin', '/opt/venv/bin']

/** Absolute path of the program: set by the environment of the server, or found; never set by a caller. */
export function findApprise(configured: string | undefined): string | undefined {
  const paths = configured ? [configured] : folders.map((folder) => path.join(folder, 'apprise'))
  return paths.find(isProgram)
}

function isProgram(file: string): boolean {
  if (!path.isAbsolute(file)) return false
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false // missing, or not executable
  }
}

const maxOutput = 64 * 1024

export interface Ended {
  /** undefined: the program could not run, or was stopped */
  code: number | undefined
  gaveUp: boolean
  output: string
}

/** Runs without a shell. Title and body are values of their options; targets follow `--`. */
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

/** An argument cannot contain a zero byte. */
const argument = (text: string): string => text.toWellFormed().replaceAll('\0', ' ')

/** Excludes our own environment: it has secrets, and settings that change the program's behaviour. */
const environment = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LANG: 'C.UTF-8',
  HOME: '/nonexistent',
  PYTHONDONTWRITEBYTECODE: '1',
  PYTHONNOUSERSITE: '1',
}

/** Resolves when the program ends. The time limit kills its whole process group. */
export function runApprise(
  program: string,
  args: readonly string[],
  { clock, limitMs, signal }: { clock: Clock; limitMs: number; signal: AbortSignal },
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: '/',
      env: environment,
      detached: true, // gives it its own process group
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
    // Its children may keep the output open after it ends.
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

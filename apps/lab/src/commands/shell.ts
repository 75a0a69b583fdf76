import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { type Command, type CommandAnswer, printed, refused } from './answer.ts'

export interface SandboxRun {
  code: number
  stdout: string
  stderr: string
}

export interface RunOptions {
  input?: string
  env?: Record<string, string>
}

/** A folder of commands, first on the PATH, and a shell that finds them. */
export interface CommandShell {
  /** the shell's folder, which is deleted with it */
  dir: string
  /** the folder of real programs, next to the given commands */
  bin: string
  /** with the commands on the PATH */
  env: Record<string, string>
  /** every command so far, its name first */
  calls: string[][]
  /** Makes commands that begin with these words fail, or succeed without an effect. */
  spoil(words: readonly string[], how: 'fails' | 'lies'): void
  mend(): void
  /** Runs a shell with these arguments, without a terminal. */
  run(shell: string, args: readonly string[], given?: RunOptions): Promise<SandboxRun>
  /** files created since the start */
  newFiles(): string[]
  close(): Promise<void>
}

/** `prepare` adds files to the folder, which do not count as new, and returns the rest of the PATH. */
export async function openShell(
  commandsIn: (dir: string) => Record<string, Command>,
  prepare: (dir: string, bin: string) => string = () => '/usr/bin:/bin',
): Promise<CommandShell> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-sandbox-'))
  const [bin, work] = [path.join(dir, 'bin'), path.join(dir, 'work')]
  for (const folder of [bin, work]) fs.mkdirSync(folder)
  const commands = commandsIn(dir)
  const calls: string[][] = []
  let spoilt: { words: readonly string[]; how: 'fails' | 'lies' } | undefined

  function run(name: string, args: string[]): CommandAnswer {
    const call = [name, ...args]
    calls.push(call)
    if (spoilt?.words.every((word, i) => call[i] === word)) {
      return spoilt.how === 'lies' ? printed() : refused(`${name}: this does not work today`, 1)
    }
    return commands[name]!(args)
  }

  const shims = await openShims(bin, Object.keys(commands), run)
  const env = { PATH: `${bin}:${prepare(dir, bin)}`, HOME: work, TMPDIR: work }
  const filesNow = () => fs.readdirSync(dir, { recursive: true }).map(String)
  const filesAtStart = new Set(filesNow())
  return {
    dir,
    bin,
    env,
    calls,
    spoil: (words, how) => void (spoilt = { words, how }),
    mend: () => void (spoilt = undefined),
    run: (shell, args, given = {}) =>
      runShell(shell, args, work, { ...env, ...given.env }, given.input ?? ''),
    newFiles: () => filesNow().filter((name) => !filesAtStart.has(name)),
    async close() {
      await shims.close()
      fs.rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** In a session of its own, so that it cannot prompt on our terminal. */
function runShell(
  shell: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  input: string,
): Promise<SandboxRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(shell, args, { cwd, env, detached: true, stdio: 'pipe' })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    // The shell may exit without reading its input.
    child.stdin.on('error', () => child.stdin.destroy())
    child.stdin.end(input)
    child.once('error', reject)
    child.once('close', (code) => resolve({ code: code ?? -1, stdout, stderr }))
  })
}

/** Programs in a folder that pass their arguments unchanged to one function of the lab. */
interface Shims {
  close(): Promise<void>
}

async function openShims(
  folder: string,
  names: readonly string[],
  run: (name: string, args: string[]) => CommandAnswer,
): Promise<Shims> {
  const server = createServer((socket) => {
    const chunks: Buffer[] = []
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      answer(socket, Buffer.concat(chunks), run)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  for (const name of names) fs.writeFileSync(path.join(folder, name), shim(name, port), { mode: 0o755 })
  return { close: () => new Promise((resolve) => server.close(() => resolve())) }
}

/** The message starts with the number of arguments. Each part ends with NUL, which no argument can contain. */
function answer(socket: Socket, bytes: Buffer, run: (name: string, args: string[]) => CommandAnswer): void {
  const parts = bytes.toString('utf8').split('\0')
  const count = Number(parts[0])
  if (parts.length < 2 || parts.length < count + 3) return
  const { code, out, err } = run(parts[1]!, parts.slice(2, 2 + count))
  socket.end(`${code}\n${err}\0${out}`)
}

/** Reads all of its standard input, as ssh does: a script that is piped to a shell must prevent that. */
const shim = (name: string, port: number) => String.raw`#!/bin/bash
IFS= read -r -d '' _
exec 3<>/dev/tcp/127.0.0.1/${port}
printf '%s\0' "$#" ${name} "$@" >&3
IFS= read -r code <&3
IFS= read -r -d '' complaint <&3
IFS= read -r -d '' output <&3
printf '%s' "$output"
printf '%s' "$complaint" >&2
exit "$code"
`

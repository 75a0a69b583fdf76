import fs from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import path from 'node:path'
import type { CommandAnswer } from './answer.ts'

/** Programs in a folder that pass their arguments unchanged to one function here. */
export interface Shims {
  close(): Promise<void>
}

export async function openShims(
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

/** Starts with the number of arguments; each part ends with NUL, the one character that no argument contains. */
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

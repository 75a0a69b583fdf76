import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { stampOf } from './build.mjs'

/** A recorded start of a program. */
export interface Started {
  name: 'node' | 'npm'
  args: string[]
  env: Record<string, string>
}

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

export interface Checkout {
  root: string
  /** programs that the scripts have started, in order */
  started(): Started[]
  /** Whether one of the programs runs until a signal stops it. */
  isStaying(): boolean
  /** Starts a script like npm. */
  begin(
    script: string,
    args?: readonly string[],
    env?: Record<string, string>,
  ): { child: ChildProcess; said: () => string; ended: Promise<Ended> }
  run(script: string, args?: readonly string[], env?: Record<string, string>): Promise<Ended>
  write(name: string, text: string): void
  /** Marks all parts as built from the current files. */
  isBuilt(): void
  remove(): void
}

/** Records its arguments. Simulates the lab, the product or npm as far as the scripts need it. */
const player = (name: Started['name'], log: string) => `#!${process.execPath}
const fs = require('node:fs')
const args = process.argv.slice(2)
fs.appendFileSync(${JSON.stringify(log)}, JSON.stringify({ name: '${name}', args, env: process.env }) + '\\n')
const { STUB_CODE, STUB_LAB, STUB_URL } = process.env
const isStarted = (part) => args.some((arg) => arg.endsWith(part))
const stays = () => {
  setInterval(() => {}, 1000)
  for (const [signal, code] of [['SIGTERM', 0], ['SIGINT', 5]]) process.on(signal, () => process.exit(code))
  fs.writeFileSync(${JSON.stringify(`${log}.staying`)}, '')
}
if (isStarted('scripts/registries.mjs')) process.exit(Number(STUB_CODE ?? 0))
else if (isStarted('lab/src/main.ts')) { stays(); console.log(STUB_LAB) }
else if (STUB_URL) { stays(); if (process.send) process.send({ ready: STUB_URL }) }
else process.exit(Number(STUB_CODE ?? 0))
`

/**
 * A folder with the real scripts, installed packages and a finished build. Its Node and npm only record their
 * calls.
 */
export function aCheckout(): Checkout {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-scripts-'))
  const at = (...parts: string[]) => path.join(root, ...parts)
  const log = at('started.log')
  const write = (name: string, text: string) => {
    fs.mkdirSync(path.dirname(at(name)), { recursive: true })
    fs.writeFileSync(at(name), text)
  }
  for (const name of fs.readdirSync(import.meta.dirname)) {
    if (name.endsWith('.mjs'))
      write(`scripts/${name}`, fs.readFileSync(path.join(import.meta.dirname, name), 'utf8'))
  }
  const lock = '{"lockfileVersion": 3}'
  write('package-lock.json', lock)
  write('node_modules/.pulse-installed', createHash('sha256').update(lock).digest('hex'))
  const isBuilt = () => {
    for (const part of ['web', 'server', 'agent']) write(`apps/${part}/dist/.built`, stampOf(part, root))
  }
  isBuilt()
  const programs = {
    node: `node_modules/node-${process.platform}-${process.arch}/bin/node`,
    npm: 'bin/npm',
  } as const
  for (const name of ['node', 'npm'] as const) {
    write(programs[name], player(name, log))
    fs.chmodSync(at(programs[name]), 0o755)
  }

  const begin: Checkout['begin'] = (script, args = [], env = {}) => {
    const child = spawn(process.execPath, [at('scripts', script), ...args], {
      cwd: root,
      env: { PATH: `${at('bin')}:/usr/bin:/bin`, ...env },
    })
    const ended: Ended = { code: null, stdout: '', stderr: '' }
    child.stdout.on('data', (text) => (ended.stdout += String(text)))
    child.stderr.on('data', (text) => (ended.stderr += String(text)))
    return {
      child,
      said: () => ended.stdout + ended.stderr,
      ended: new Promise((resolve) => child.on('close', (code) => resolve({ ...ended, code }))),
    }
  }
  return {
    root,
    begin,
    run: (...given) => begin(...given).ended,
    started: () =>
      fs.existsSync(log)
        ? fs
            .readFileSync(log, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as Started)
        : [],
    isStaying: () => fs.existsSync(`${log}.staying`),
    write,
    isBuilt,
    remove: () => fs.rmSync(root, { recursive: true }),
  }
}

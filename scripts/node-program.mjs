import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { root } from './pinned-node.mjs'

/** The pinned Node for a processor: the installed one, or with `mayFetch` a download. */
export function nodeFor(arch, mayFetch) {
  const name = `node-linux-${arch}`
  const installed = path.join(root, 'node_modules', name, 'bin/node')
  if (existsSync(installed)) return installed
  const folder = path.join(root, 'node_modules/.cache', name)
  const fetched = path.join(folder, 'package/bin/node')
  if (!mayFetch) return undefined
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  fetch(name, folder)
  return fetched
}

/** Downloads Node from the npm registry, and verifies it by the lock file. */
function fetch(name, folder) {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  const { version, integrity } = lock.packages[`node_modules/${name}`]
  const args = ['pack', `${name}@${version}`, '--silent', '--pack-destination', folder]
  const file = path.join(folder, String(execFileSync('npm', args, { cwd: folder })).trim())
  const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
  if (found !== integrity) throw new Error(`${name} ${version} has another checksum than the lock file says`)
  execFileSync('tar', ['-xzf', file, '-C', folder, 'package/bin/node'])
  rmSync(file)
}

/** Offsets in 64-bit little-endian ELF files, from the specification. */
const at = { class: 4, data: 5, phoff: 32, shoff: 40, phentsize: 54, phnum: 56, shnum: 60, shstrndx: 62 }
const segment = { offset: 8, filesz: 32 }

/**
 * Strips the symbols from an ELF program: removes the sections after the last loaded segment, and their
 * table. Node shrinks by a quarter. Works for any processor, without its platform's tools.
 */
export function withoutSymbols(program) {
  const is64 = program.readUInt32BE(0) === 0x7f454c46 && program[at.class] === 2 && program[at.data] === 1
  if (!is64) throw new Error('not an ELF program for 64 bits, little endian')
  const table = Number(program.readBigUInt64LE(at.phoff))
  const size = program.readUInt16LE(at.phentsize)
  let end = table + size * program.readUInt16LE(at.phnum)
  for (let entry = table; entry < table + size * program.readUInt16LE(at.phnum); entry += size) {
    const offset = Number(program.readBigUInt64LE(entry + segment.offset))
    end = Math.max(end, offset + Number(program.readBigUInt64LE(entry + segment.filesz)))
  }
  const bare = Buffer.from(program.subarray(0, end))
  bare.writeBigUInt64LE(0n, at.shoff)
  bare.writeUInt16LE(0, at.shnum)
  bare.writeUInt16LE(0, at.shstrndx)
  return bare
}

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { aFolder, aServer } from '../fixtures.ts'

/** Fetches with a file size limit (ulimit). A write stops halfway at the limit, like on a full disk. */
function fetchInto(file: string, target: object, signed: object, blocks: string): Promise<string> {
  const program = `
    const { fetchProgram } = await import(${JSON.stringify(path.join(import.meta.dirname, 'fetch-program.ts'))})
    await fetchProgram(${JSON.stringify(target)}, 'linux-amd64', ${JSON.stringify(signed)}, ${JSON.stringify(file)})
    console.log('whole')`
  const args = ['-c', 'ulimit -f "$1"; shift; exec "$@"', 'sh', blocks]
  const node = [process.execPath, '--no-warnings', '--input-type=module', '--eval', program]
  return new Promise((resolve) => {
    execFile('/bin/sh', [...args, ...node], { env: {} }, (_error, stdout) => resolve(stdout.trim()))
  })
}

test('a download that does not fit on the disk is refused, although all bytes arrived', async () => {
  const bytes = Buffer.alloc(1_500, 'x')
  const signed = { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
  const { target } = await aServer(() => ({ body: bytes }))
  const folder = aFolder()
  expect(await fetchInto(path.join(folder, 'large'), target, signed, 'unlimited')).toBe('whole')
  expect(fs.statSync(path.join(folder, 'large')).size).toBe(1_500)
  // the shell counts in blocks of 512 or 1,024 bytes
  expect(await fetchInto(path.join(folder, 'full'), target, signed, '1')).toBe('')
})

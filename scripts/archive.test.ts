import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pack } from './archive.mjs'

let folder: string
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-archive-'))
})
afterAll(() => fs.rmSync(folder, { recursive: true }))

/** Creates the same content in another order, at another time, with another umask. */
function tree(parent: string, names: readonly string[], umask: string) {
  const script = `umask ${umask}; mkdir -p tree/bin tree/empty; for name in ${names.join(' ')}; do echo "$name" >"tree/$name"; done; chmod u+x tree/bin/run`
  fs.mkdirSync(path.join(folder, parent))
  execFileSync('sh', ['-ec', script], { cwd: path.join(folder, parent) })
}

test('[S20] the same content makes the same archive, in any folder and at any time', async () => {
  tree('one', ['b', 'a', 'bin/run'], '022')
  tree('two', ['bin/run', 'a', 'b'], '077')
  fs.utimesSync(path.join(folder, 'two/tree/a'), 1, 1)
  const packed = await Promise.all(
    ['one', 'two'].map((parent) =>
      pack(path.join(folder, parent), 'tree', path.join(folder, `${parent}.tgz`), 86_400),
    ),
  )
  expect(packed[0]).toEqual(packed[1])
  const listed = execFileSync('tar', ['--utc', '--full-time', '-tvzf', path.join(folder, 'one.tgz')], {
    encoding: 'utf8',
  })
  expect(
    listed
      .trim()
      .split('\n')
      .map((line) => line.replaceAll(/ +/g, ' ')),
  ).toEqual([
    'drwxr-xr-x 0/0 0 1970-01-02 00:00:00 tree/',
    '-rw-r--r-- 0/0 2 1970-01-02 00:00:00 tree/a',
    '-rw-r--r-- 0/0 2 1970-01-02 00:00:00 tree/b',
    'drwxr-xr-x 0/0 0 1970-01-02 00:00:00 tree/bin/',
    '-rwxr-xr-x 0/0 8 1970-01-02 00:00:00 tree/bin/run',
    'drwxr-xr-x 0/0 0 1970-01-02 00:00:00 tree/empty/',
  ])
})

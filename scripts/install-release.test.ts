import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { root } from './pinned-node.mjs'

const isRoot = process.getuid?.() === 0
if (!isRoot) console.log('skipped: the install script needs root')
const architecture = process.arch === 'arm64' ? 'linux-arm64' : 'linux-amd64'
const name = `pulse-v9.9.9-${architecture}`

let folder: string
let ran: string
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-install-'))
  ran = path.join(folder, 'ran')
})
afterEach(() => fs.rmSync(folder, { recursive: true }))

/** A release with a fake program, which does not change this machine. */
function aRelease(parent: string, program = `#!/bin/sh\ntouch ${ran}\nexit 1\n`) {
  const release = path.join(folder, parent, name)
  fs.mkdirSync(path.join(release, 'bin'), { recursive: true })
  fs.writeFileSync(path.join(release, 'release.json'), '{}')
  fs.writeFileSync(path.join(release, 'bin/node'), program, { mode: 0o755 })
  const text = fs.readFileSync(path.join(root, 'deploy/release/install.sh'), 'utf8')
  fs.writeFileSync(
    path.join(release, 'install.sh'),
    text.replaceAll('@VERSION@', '9.9.9').replaceAll('@KEYS@', ''),
  )
  return release
}

function install(script: string, words: string[] = [], env = {}) {
  const { status, stderr } = spawnSync('sh', [path.join(script, 'install.sh'), ...words], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  return { status, stderr, ran: fs.existsSync(ran) }
}

const refused = {
  status: 1,
  stderr: expect.stringContaining('Other users than root can write to'),
  ran: false,
}

test.skipIf(!isRoot)('[S21] a release that only root can write is accepted', () => {
  expect(install(aRelease('own'))).toMatchObject({
    stderr: expect.stringContaining('Pulse cannot run on this machine'),
    ran: true,
  })
})

test.skipIf(!isRoot).each<{ what: string; open: (release: string) => void }>([
  { what: 'everybody may write in', open: (release) => fs.chmodSync(release, 0o1777) },
  { what: 'everybody may write in a part of', open: (release) => fs.chmodSync(`${release}/bin`, 0o777) },
  { what: 'a group may write in', open: (release) => fs.chmodSync(release, 0o775) },
  { what: 'another user owns', open: (release) => fs.chownSync(release, 65_534, 65_534) },
  {
    what: 'another user owns a program of',
    open: (release) => fs.chownSync(`${release}/bin/node`, 65_534, 0),
  },
  {
    what: 'another user may replace',
    open: (release) => fs.chmodSync(path.dirname(release), 0o777),
  },
])('[S21] a folder that $what is refused', ({ open }) => {
  const release = aRelease('foreign')
  open(release)
  expect(install(release)).toEqual(refused)
})

test.skipIf(!isRoot)(
  '[S20] the unpacked files are the checked ones, even if the archive is replaced meanwhile',
  () => {
    const pack = (parent: string, to: string) =>
      spawnSync('tar', ['-czf', path.join(folder, to), '-C', path.join(folder, parent), name])
    const script = aRelease('good', '#!/bin/sh\nexit 1\n')
    pack('good', `${name}.tar.gz`)
    aRelease('other')
    pack('other', 'other.tar.gz')
    const archive = path.join(folder, `${name}.tar.gz`)
    const sum = createHash('sha256').update(fs.readFileSync(archive)).digest('hex')
    fs.writeFileSync(path.join(folder, 'SHA256SUMS'), `${sum}  ${name}.tar.gz\n`)
    // swaps the archive while its checksum is verified
    const tools = path.join(folder, 'tools')
    fs.mkdirSync(tools)
    const swap = `#!/bin/sh\n/usr/bin/sha256sum\ncp ${folder}/other.tar.gz ${archive}\n`
    fs.writeFileSync(path.join(tools, 'sha256sum'), swap, { mode: 0o755 })
    const words = ['--unsigned', '--archive', archive]
    expect(install(script, words, { PATH: `${tools}:${process.env['PATH']}` })).toEqual({
      status: 1,
      stderr: expect.stringContaining('Pulse cannot run on this machine'),
      ran: false,
    })
  },
)

test.skipIf(!isRoot)('[S21] nothing is written through a link that another user than root may change', () => {
  const opt = path.join(folder, 'opt')
  const elsewhere = path.join(folder, 'elsewhere')
  fs.mkdirSync(elsewhere)
  fs.mkdirSync(opt)
  fs.symlinkSync(elsewhere, path.join(opt, 'slots'))
  fs.chownSync(opt, 65_534, 65_534)
  const release = aRelease('own', '#!/bin/sh\nexit 0\n')
  const script = path.join(release, 'install.sh')
  const text = fs.readFileSync(script, 'utf8')
  fs.writeFileSync(
    script,
    text
      .replace('HOME_FOLDER=/opt/pulse', `HOME_FOLDER=${opt}`)
      .replace('DATA=/var/lib/pulse', `DATA=${folder}/data`)
      .replace('SETTINGS=/etc/default/pulse', `SETTINGS=${folder}/settings`)
      .replace('COMMAND=/usr/local/bin/pulse', `COMMAND=${folder}/command`)
      // creates no account, and exits once the files are installed
      .replace('getent passwd pulse >/dev/null', 'true')
      .replace(/^ {2}write_settings$/m, '  exit 0'),
  )
  expect(install(release)).toMatchObject({ status: 1, stderr: refused.stderr })
  expect(fs.readdirSync(elsewhere)).toEqual([])
})

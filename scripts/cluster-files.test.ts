import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { siteAccount, siteExports } from '../apps/server/src/cluster/sites/site-account.ts'
import { newCredentials } from '../apps/server/src/cluster/sites/site-credentials.ts'
import { allFrames } from '../apps/server/src/cluster/nats/subjects.ts'
import { documentText } from './documented.ts'
import { root } from './pinned-node.mjs'
import { deployText as read } from './source-texts.ts'

let dir: string
beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-cluster-files-'))
})
afterEach(() => fs.rmSync(dir, { recursive: true }))

const nats = '/usr/sbin/nats-server'
const hasNats = fs.existsSync(nats)
if (!hasNats) console.log('skipped: no nats-server')
const haproxy = '/usr/sbin/haproxy'
const hasHaproxy = fs.existsSync(haproxy)
if (!hasHaproxy) console.log('skipped: no haproxy')

function makeCertificate() {
  const words =
    '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=pulse-1 -keyout'
  execFileSync(
    'openssl',
    ['req', ...words.split(' '), `${dir}/server-key.pem`, '-out', `${dir}/server.pem`],
    {
      stdio: 'ignore',
    },
  )
  const [key, certificate] = ['server-key.pem', 'server.pem'].map((name) =>
    fs.readFileSync(`${dir}/${name}`, 'utf8'),
  )
  fs.writeFileSync(`${dir}/ca.pem`, certificate!)
  fs.writeFileSync(`${dir}/both.pem`, certificate! + key!)
}

describe('deploy/pair', () => {
  const users = read('pair/nats-users.conf')

  test.skipIf(!hasNats)('nats-server accepts the three files', () => {
    makeCertificate()
    fs.writeFileSync(path.join(dir, 'nats-users.conf'), users)
    for (const n of [1, 2, 3]) {
      const file = path.join(dir, `nats-${n}.conf`)
      fs.writeFileSync(file, read(`pair/nats-${n}.conf`).replaceAll('/etc/nats/', `${dir}/`))
      const { status, stderr, stdout } = spawnSync(nats, ['-t', '-c', file], { encoding: 'utf8' })
      expect([status, stderr + stdout]).toEqual([0, expect.stringContaining('is valid')])
    }
  })

  test('the three files differ in their names only', () => {
    const [one, ...others] = [1, 2, 3].map((n) =>
      read(`pair/nats-${n}.conf`)
        .replace(/^#.*\n/, '')
        .replace(/^server_name: pulse-\d$/m, ''),
    )
    expect(others).toEqual([one, one])
  })

  test('the permissions are those of the product, and the same in docs/cluster.md', () => {
    for (const text of [users, documentText('docs/cluster.md')]) {
      const subjects = (what: string) => [
        ...(new RegExp(`${what}: \\[(.*)\\]`).exec(text)?.[1] ?? '').matchAll(/"(.*?)"/g),
      ]
      const publish = subjects('publish').map(([, one]) => one)
      expect(publish).toEqual(expect.arrayContaining(['$KV.>', allFrames.replace(/frames.*/, '>')]))
      expect(subjects('subscribe').map(([, one]) => one)).toEqual([
        allFrames.replace(/frames.*/, '>'),
        '_INBOX.>',
      ])
    }
  })
})

describe('deploy/collector', () => {
  const collector = (name: string) => read(`collector/${name}`)

  test.skipIf(!hasNats)('nats-server accepts the accounts, with the account that site-key writes', () => {
    for (const name of ['nats-users.conf', 'nats-exports.conf'])
      fs.writeFileSync(path.join(dir, name), collector(name))
    const { publicKey } = newCredentials()
    fs.writeFileSync(path.join(dir, 'site-berlin.conf'), siteAccount('Berlin', publicKey))
    const file = path.join(dir, 'nats.conf')
    fs.writeFileSync(file, `jetstream: {}\ninclude "nats-users.conf"\n`)
    const { status, stderr, stdout } = spawnSync(nats, ['-t', '-c', file], { encoding: 'utf8' })
    expect([status, stderr + stdout]).toEqual([0, expect.stringContaining('is valid')])
  })

  test('the exports are those that the product needs', () => {
    const given = [...collector('nats-exports.conf').matchAll(/\{ (?:service|stream): .* \}/g)]
    expect(given.map(([text]) => text)).toEqual(siteExports)
  })

  test('the document names every import of a site', () => {
    const text = documentText('docs/cluster.md')
    const subjects = [...siteAccount('Berlin', 'U').matchAll(/subject: "(.*?)"/g)].map(([, one]) => one!)
    const shown = (one: string) => one.replaceAll('QmVybGlu', 'SITE')
    const starts = subjects.map((one) =>
      shown(one)
        .replace(/^(\$JS.*KV_).*/, '$1')
        .replace(/.*(\.down\.[a-z]+).*/, '$1'),
    )
    expect(starts.filter((one) => !text.includes(one))).toEqual([])
  })
})

test.skipIf(!hasHaproxy)('haproxy accepts deploy/reverse-proxy/haproxy-cluster.cfg', () => {
  makeCertificate()
  const file = path.join(dir, 'haproxy.cfg')
  fs.writeFileSync(
    file,
    read('reverse-proxy/haproxy-cluster.cfg').replace(
      '/etc/ssl/pulse/fullchain-and-key.pem',
      `${dir}/both.pem`,
    ),
  )
  const { status, stderr, stdout } = spawnSync(haproxy, ['-c', '-f', file], { encoding: 'utf8' })
  expect([status, stderr + stdout]).toEqual([0, expect.stringContaining('valid')])
})

describe('streams and buckets', () => {
  const source = fs.readFileSync(path.join(root, 'apps/server/src/cluster/nats/subjects.ts'), 'utf8')
  const stored = [...source.matchAll(/`(PULSE_[A-Z]+_)\$\{version\}`/g)].map(([, name]) => `${name}1`)

  test('docs/cluster.md names all of them, and every subject', () => {
    const text = documentText('docs/cluster.md')
    const subjects = [...source.matchAll(/\$\{prefix\}\.([a-z]+)/g)].map(([, name]) => `pulse.1.${name}`)
    expect(subjects.length + stored.length).toBeGreaterThan(7)
    expect([...subjects, ...stored].filter((name) => !text.includes(`\`${name}`))).toEqual([])
  })

  test('deploy/pair/nats-users.conf names all of them', () => {
    const named = read('pair/nats-users.conf').match(/PULSE_[A-Z]+_\d/g)
    expect(named?.toSorted()).toEqual(stored.toSorted())
  })

  test.each(['docs/cluster.md', 'docs/scaling.md'])('%s names the stores of deploy/pair', (document) => {
    const stores = [...read('pair/nats-1.conf').matchAll(/(max_\w+_store): (\d+)GB/g)]
    expect(stores).toHaveLength(2)
    for (const [, name, size] of stores) expect(documentText(document)).toContain(`\`${name}\` of ${size} GB`)
  })
})

test('docs/cluster.md names what a collector without a database answers', () => {
  const source = fs.readFileSync(path.join(root, 'apps/server/src/remote.ts'), 'utf8')
  const paths = [...source.matchAll(/'(\/[a-z/]+)': \(\) =>/g)].map(([, one]) => `\`${one}\``)
  expect(paths.length).toBeGreaterThan(2)
  const row = /^.*where it answers (.*);/m.exec(documentText('docs/cluster.md'))![1]
  expect(row).toBe(`${paths.slice(0, -1).join(', ')} and ${paths.at(-1)}`)
})

import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { aFolder } from '../fixtures.ts'
import { identityOf, readMachine, toHost } from './host.ts'

const machine = { hostname: 'box', id: 'f'.repeat(32), isContainer: false, uptimeSeconds: () => 1 }
const none = { hostname: undefined, agentId: undefined }

test.each([
  ['what the administrator says', { ...none, agentId: 'mine' }, { ID: 'E' }, machine, 'mine'],
  ["the engine's", none, { ID: 'E' }, machine, 'E'],
  ["the machine's", none, {}, machine, machine.id],
  ['the name', none, {}, { ...machine, id: undefined }, 'box'],
  ['the name it was given', { ...none, hostname: 'named' }, {}, { ...machine, id: undefined }, 'named'],
])('[facts 3.1] identity: %s', (_what, own, info, machine, identity) => {
  expect(identityOf(info, false, toHost(info, false, machine, own), own)).toBe(identity)
})

test('the name set by the administrator is used for both fields', () => {
  const host = toHost({ Name: 'dock1' }, false, machine, { ...none, hostname: 'named' })
  expect([host.hostname, host.name]).toEqual(['named', 'named'])
})

test('in a container the name is that of the engine', () => {
  const inside = { ...machine, hostname: '0a1b2c', isContainer: true }
  expect(toHost({ Name: 'dock1' }, false, inside, none).hostname).toBe('dock1')
  expect(toHost({ Name: 'dock1' }, false, machine, none).hostname).toBe('box')
})

test.each([
  ['its own file', { 'etc/machine-id': `${'a'.repeat(32)}\n` }, 'a'.repeat(32)],
  ['the older place', { 'var/lib/dbus/machine-id': 'b'.repeat(32) }, 'b'.repeat(32)],
  ['none in an image', { 'etc/machine-id': 'uninitialized\n' }, undefined],
  ['none where there is no file', {}, undefined],
])("[facts 3.4] the machine's identity: %s", (_what, files, id) => {
  const root = aFolder()
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    fs.writeFileSync(path.join(root, name), text)
  }
  expect(readMachine(`${root}/`)).toMatchObject({ id, isContainer: false })
})

test('an agent in a container notices it', () => {
  const root = aFolder()
  fs.writeFileSync(path.join(root, '.dockerenv'), '')
  expect(readMachine(`${root}/`).isContainer).toBe(true)
})

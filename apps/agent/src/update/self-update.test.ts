import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { aFolder, aLog, aServer, type Reply } from '../given.ts'
import { previousOf, updateSelf } from './self-update.ts'

const aProgram = (version: string) => `#!/bin/sh\necho pulse-docker-agent ${version} "$PULSE_TOKEN"\n`
const checksum = (text: string) => createHash('sha256').update(text).digest('hex')

interface Offer {
  version?: string
  file?: string
  headers?: Record<string, string>
  status?: number
}

async function given(offer: Offer, own = '1.0.0') {
  const { version = '1.1.0', file = aProgram(version), status = 200 } = offer
  const { headers = { 'x-checksum-sha256': checksum(file) } } = offer
  const server = await aServer(({ path }): Reply => {
    return path === '/api/agent/version' ? { body: { version } } : { status, headers, body: file }
  })
  const folder = aFolder()
  const program = path.join(folder, 'pulse-docker-agent')
  fs.writeFileSync(program, aProgram(own), { mode: 0o755 })
  const became: string[] = []
  const update = (become = (file: string) => void became.push(fs.readFileSync(file, 'utf8'))) =>
    updateSelf({
      target: server.target,
      version: own,
      program,
      platform: 'linux-amd64',
      log: aLog().log,
      become,
    })
  const files = () => fs.readdirSync(folder).toSorted()
  return { update, became, program, files, asked: server.asked, text: () => fs.readFileSync(program, 'utf8') }
}

test('a newer agent takes the place of the one that runs, which is kept beside it', async () => {
  const { update, became, program, files, asked } = await given({})
  await update()
  expect(became).toEqual([aProgram('1.1.0')])
  expect(files()).toEqual(['pulse-docker-agent', 'pulse-docker-agent.previous'])
  expect(fs.statSync(program).mode & 0o777).toBe(0o755)
  expect(fs.readFileSync(previousOf(program), 'utf8')).toBe(aProgram('1.0.0'))
  expect(asked.map(({ path }) => path)).toEqual([
    '/api/agent/version',
    '/download/pulse-docker-agent?arch=linux-amd64',
  ])
})

test.each([
  ['the same version', '1.1.0', '1.1.0'],
  ['an older one: it never goes back', '1.0.9', '1.1.0'],
  ['a server without an agent', 'dev', '1.0.0'],
  ['an agent that is developed', '1.1.0', 'dev'],
])('[facts 12.6] %s fetches nothing', async (_what, version, own) => {
  const { update, asked, text } = await given({ version }, own)
  await update()
  expect(asked).toHaveLength(1)
  expect(text()).toBe(aProgram(own))
})

test.each([
  [
    'with another checksum',
    { headers: { 'x-checksum-sha256': checksum('other') } },
    /checksum .* instead of/,
  ],
  ['without a checksum', { headers: {} }, /without a checksum/],
  ['with a checksum of another form', { headers: { 'x-checksum-sha256': 'abc' } }, /without a checksum/],
  ['with a page instead', { status: 404 }, /answered with 404/],
  [
    'that calls itself something else',
    { file: aProgram('1.0.5') },
    /calls itself "pulse-docker-agent 1\.0\.5"/,
  ],
  ['that does not run here', { file: '\u007fELF of another platform' }, /./],
  ['that fails', { file: '#!/bin/sh\nexit 1\n' }, /Command failed/],
])('an agent %s changes nothing', async (_what, offer, message) => {
  const { update, became, files, text } = await given(offer)
  await expect(update()).rejects.toThrow(message)
  expect(became).toEqual([])
  expect(files()).toEqual(['pulse-docker-agent'])
  expect(text()).toBe(aProgram('1.0.0'))
})

test('[S9] what is tried is told no token', async () => {
  process.env['PULSE_TOKEN'] = 'tok-5ecret'
  try {
    const { update, became } = await given({})
    await update()
    expect(became).toHaveLength(1)
  } finally {
    delete process.env['PULSE_TOKEN']
  }
})

test('who cannot go on as the new one goes back to the old', async () => {
  const { update, files, text } = await given({})
  const refuse = () => {
    throw new Error('not permitted')
  }
  await expect(update(refuse)).rejects.toThrow('not permitted')
  expect(text()).toBe(aProgram('1.0.0'))
  expect(files()).toEqual(['pulse-docker-agent'])
})

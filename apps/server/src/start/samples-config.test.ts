import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readSamplesConfig } from './samples-config.ts'

const read = (url: string, more: Record<string, string> = {}) =>
  readSamplesConfig({ PULSE_SAMPLES_URL: url, ...more })

function file(content: string): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true }))
  const name = path.join(folder, 'file')
  fs.writeFileSync(name, content)
  return name
}

test('[N 5] without a URL, samples are in history.db', () => {
  expect(readSamplesConfig({})).toBeUndefined()
  expect(read(' ')).toBeUndefined()
})

test.each([
  ['http://127.0.0.1:8428', 'http://127.0.0.1:8428'],
  ['https://store.example.test/', 'https://store.example.test'],
  ['https://store.example.test/select/0/prometheus//', 'https://store.example.test/select/0/prometheus'],
  ['http://[::1]:8428/a', 'http://[::1]:8428/a'],
])('[N 5] %s is %s', (text, url) => expect(read(text)).toEqual({ url }))

test('[N 5] a user with a password, or a token, comes from files', () => {
  const url = 'https://store.example.test'
  expect(read(url, { PULSE_SAMPLES_USER: 'pulse', PULSE_SAMPLES_PASSWORD_FILE: file('größe:1\n') })).toEqual({
    url,
    authorization: `Basic ${Buffer.from('pulse:größe:1').toString('base64')}`,
  })
  expect(
    read(url, { PULSE_SAMPLES_TOKEN_FILE: file('abc.def\r\n'), PULSE_SAMPLES_CA_FILE: file('CA') }),
  ).toEqual({
    url,
    authorization: 'Bearer abc.def',
    ca: 'CA',
  })
})

test('[N 5] an authority that is named, but empty, counts as none', () => {
  for (const url of ['http://store.example.test', 'https://store.example.test'])
    expect(read(url, { PULSE_SAMPLES_CA_FILE: file('\n') })).toEqual({ url })
})

test.each([
  ['ftp://store/x', 'is not the URL of a store of samples'],
  ['store:8428', 'is not the URL of a store of samples'],
  ['http://user:s3cret@store', 'has a user or a password'],
  ['http://user@store', 'has a user or a password'],
  ['http://store?token=s3cret', 'has a query or a fragment'],
  ['http://store#s3cret', 'has a query or a fragment'],
])('[N 5] %s is refused, and its secret is in no message', (url, problem) => {
  expect(() => read(url)).toThrow(problem)
  expect(() => read(url)).not.toThrow('s3cret')
})

test.each([
  [{ PULSE_SAMPLES_USER: 'pulse' }, 'PULSE_SAMPLES_PASSWORD_FILE is not set'],
  [{ PULSE_SAMPLES_PASSWORD_FILE: 's3cret' }, 'PULSE_SAMPLES_USER is not set'],
  [{ PULSE_SAMPLES_USER: 'a:b', PULSE_SAMPLES_PASSWORD_FILE: 's3cret' }, 'PULSE_SAMPLES_USER has a colon'],
  [{ PULSE_SAMPLES_USER: 'a', PULSE_SAMPLES_TOKEN_FILE: 's3cret' }, 'besides a user or a password'],
  [{ PULSE_SAMPLES_TOKEN_FILE: '' }, 'The file that PULSE_SAMPLES_TOKEN_FILE names is empty.'],
  [
    { PULSE_SAMPLES_USER: 'pulse', PULSE_SAMPLES_PASSWORD_FILE: ' \n' },
    'PULSE_SAMPLES_PASSWORD_FILE names is empty.',
  ],
  [{ PULSE_SAMPLES_TOKEN_FILE: 's3cret\nmore' }, 'has several lines'],
  [{ PULSE_SAMPLES_TOKEN_FILE: 's3 cret' }, 'has characters that no token has'],
  [{ PULSE_SAMPLES_CA_FILE: 'CA' }, 'begins with http://'],
] as [Record<string, string>, string][])('[N 5] %j is refused: %s', (given, problem) => {
  const more = Object.fromEntries(
    Object.entries(given).map(([name, text]) => [name, name.endsWith('_FILE') ? file(text) : text]),
  )
  expect(() => read('http://127.0.0.1:8428', more)).toThrow(problem)
  expect(() => read('http://127.0.0.1:8428', more)).not.toThrow('s3cret')
})

test('[N 5] variables without the URL, and files that cannot be read, are refused', () => {
  expect(() => readSamplesConfig({ PULSE_SAMPLES_USER: 'pulse' })).toThrow(
    'PULSE_SAMPLES_USER is set, but PULSE_SAMPLES_URL is not',
  )
  for (const name of ['PULSE_SAMPLES_TOKEN_FILE', 'PULSE_SAMPLES_PASSWORD_FILE', 'PULSE_SAMPLES_CA_FILE'])
    expect(() => read('https://store.example.test', { [name]: '/nowhere/file' })).toThrow(
      `${name}: /nowhere/file cannot be read`,
    )
})

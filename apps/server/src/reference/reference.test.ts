import { errorCodes, needsCsrf } from '@pulse/contract'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { generateSource } from 'oazapfts'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addToken } from '../testing/people.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'
import type { OpenApi } from './document.ts'

const run = promisify(execFile)
const repository = fileURLToPath(new URL('../../../../', import.meta.url))

let server: TestServer
let served: OpenApi

beforeAll(async () => {
  server = await startTestServer()
  const { headers } = await addToken(server.call, { scopes: ['monitoring:read'] })
  served = (await server.as(headers)('GET', '/api/openapi.json')).body as OpenApi
})
afterAll(() => server.stop())

const operations = () =>
  Object.entries(served.paths).flatMap(([where, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      call: `${method.toUpperCase()} ${where.replace(/\{(\w+)\}/g, ':$1')}`,
      operation: operation as Record<string, unknown>,
    })),
  )

test('a public validator finds nothing wrong with it', async () => {
  const { valid, errors } = await new Validator().validate(
    structuredClone(served) as object as Record<string, unknown>,
  )
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
  expect(served.openapi).toBe('3.1.1')
})

test('every example fits its schema, by another validator of JSON Schema, and every reference resolves', () => {
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    inlineRefs: false,
    code: { optimize: false },
  })
  ajv.addSchema(served, 'api')
  const pointer = (parts: readonly string[]) =>
    parts.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')
  const wrong: string[] = []
  let examples = 0
  const visit = (value: unknown, at: readonly string[]) => {
    if (typeof value !== 'object' || value === null) return
    const { schema, example, examples: several } = value as Record<string, unknown>
    if (schema !== undefined) {
      const fits = ajv.compile({ $ref: `api#${pointer([...at, 'schema'])}` })
      const shown = Object.values((several ?? {}) as Record<string, { value: unknown }>)
      for (const one of [...('example' in value ? [example] : []), ...shown.map((each) => each.value)]) {
        examples += 1
        if (!fits(one)) wrong.push(`${at.join(' ')}: ${ajv.errorsText(fits.errors)}`)
      }
    }
    for (const [key, one] of Object.entries(value))
      if (key !== 'schema' && key !== 'example' && key !== 'examples') visit(one, [...at, key])
  }
  visit(served.paths, ['paths'])
  visit(served.components['responses'], ['components', 'responses'])
  for (const name of Object.keys(served.components['schemas']!))
    ajv.compile({ $ref: `api#${pointer(['components', 'schemas', name])}` })
  expect(wrong).toEqual([])
  expect(examples).toBeGreaterThan(200)
})

test('it has exactly the calls that the running server has', () => {
  const calls = server.endpoints.map(({ method, path: where }) => `${method} ${where}`)
  expect(calls.length).toBeGreaterThan(100)
  expect(
    operations()
      .map(({ call }) => call)
      .toSorted(),
  ).toEqual(calls.toSorted())
})

test('every error code belongs to a call, except those that no documented call can return', () => {
  const responses = JSON.stringify(served.components['responses'])
  const undocumented = errorCodes.filter((code) => !responses.includes(`- \`${code}\`: `))
  expect(undocumented).toEqual(['method_not_allowed'])
})

test('the documented callers match the access gate', () => {
  const said = new Map(operations().map(({ call, operation }) => [call, operation['security']]))
  for (const endpoint of server.endpoints) {
    const { method, path: where, access, scope } = endpoint
    const security = said.get(`${method} ${where}`) as Record<string, string[]>[]
    if (access === 'public') {
      expect(security, where).toEqual([])
      continue
    }
    const token = security.find(({ apiToken }) => apiToken)?.['apiToken']
    if (scope === 'none') expect(token, where).toBeUndefined()
    else if (scope === 'all') expect(token, where).toHaveLength(6)
    else expect(token, where).toEqual([scope])
    expect(security.at(-1), where).toEqual(needsCsrf(endpoint) ? { session: [], csrf: [] } : { session: [] })
  }
})

test('it has this version, and is the same each time', async () => {
  const { version } = (await server.call('GET', '/api/version')).body as { version: string }
  expect(served.info.version).toBe(version)
  expect(served.servers).toEqual([{ url: '/' }])
  const { stdout } = await run(
    process.execPath,
    [path.join(repository, 'apps/server/src/reference/write.ts')],
    {
      maxBuffer: 2 ** 25,
    },
  )
  expect({ ...JSON.parse(stdout), info: served.info }).toEqual(served)
  expect(stdout).toBe(JSON.stringify({ ...served, info: { ...served.info, version: '0' } }))
})

interface Reply {
  status: number
  data: { record?: { id: string }; tokens?: { id: string }[] }
}
type Client = Record<string, (...given: unknown[]) => Promise<Reply>> & {
  defaults: { baseUrl: string; headers: Record<string, string> }
}

/** A client from a public generator, placed next to the packages that it needs. */
async function generatedClient(): Promise<Client> {
  const folder = fs.mkdtempSync(path.join(repository, 'node_modules/.cache/pulse-client-'))
  try {
    const spec = path.join(folder, 'openapi.json')
    fs.writeFileSync(spec, JSON.stringify(served))
    const source = await generateSource(spec)
    const typed = path.join(folder, 'client.ts')
    fs.writeFileSync(typed, source)
    const compiler = path.join(repository, 'node_modules/typescript/bin/tsc')
    const options =
      '--noEmit --ignoreConfig --strict --skipLibCheck --module nodenext --lib es2024,dom'.split(' ')
    await run(process.execPath, [compiler, ...options, typed])
    const plain = path.join(folder, 'client.mjs')
    fs.writeFileSync(plain, stripTypeScriptTypes(source))
    return (await import(pathToFileURL(plain).href)) as Client
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

test('a client made by a public generator compiles, and its calls work', async () => {
  const client = await generatedClient()
  client.defaults.baseUrl = server.url
  const ask = (name: string, ...given: unknown[]) => client[name]!(...given)

  expect(await ask('getHealth')).toMatchObject({ status: 200, data: { status: 'healthy' } })
  expect(await ask('getNodes')).toMatchObject({ status: 401, data: { code: 'authentication_required' } })
  client.defaults.headers = { 'X-API-Token': adminToken }
  expect(await ask('getState')).toMatchObject({ status: 200, data: { nodes: [], connectionHealth: {} } })
  const made = await ask('postToken', { name: 'a program', scopes: ['monitoring:read'] })
  expect(made).toMatchObject({ status: 200, data: { record: { name: 'a program' } } })
  const { id } = made.data.record!
  expect((await ask('getTokens')).data.tokens!.map((token) => token.id)).toContain(id)
  expect(await ask('deleteToken', id)).toMatchObject({ status: 204 })
  expect(await ask('deleteToken', id)).toMatchObject({
    status: 404,
    data: { code: 'not_found' },
  })
  expect(await ask('postUser', { name: 'vera', password: 'short', role: 'viewer' })).toMatchObject({
    status: 400,
    data: { code: 'validation_failed', details: { password: 'Password must be at least 8 characters' } },
  })
  expect(await ask('putGuestMetadata', 'pve1-100', { customUrl: 'https://example.com' })).toMatchObject({
    status: 200,
    data: { customUrl: 'https://example.com' },
  })
  expect(await ask('getAlertHistory', { limit: '5', severity: 'critical' })).toEqual(
    expect.objectContaining({ status: 200, data: [] }),
  )
  expect(await ask('putAlertConfig', { guestDefaults: { cpu: { trigger: 91, clear: 86 } } })).toMatchObject({
    status: 200,
  })
  expect(await ask('getAlertConfig')).toMatchObject({
    status: 200,
    data: { guestDefaults: { cpu: { trigger: 91 } } },
  })
})

test('docs/api.md: its curl examples work', async () => {
  const text = fs.readFileSync(path.join(repository, 'docs/api.md'), 'utf8')
  const blocks = [...text.matchAll(/^```sh test=installed\n(.*?)^```$/gms)].map(([, block]) => block!)
  expect(blocks.length).toBeGreaterThan(2)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-curl-'))
  try {
    for (const block of blocks) {
      const commands = block
        .replaceAll('curl -sS', 'curl -sS --fail-with-body')
        .replaceAll('http://localhost:7655', server.url)
      await run('sh', ['-ec', commands], { cwd: folder, env: { ...process.env, TOKEN: adminToken } })
    }
    expect(JSON.parse(fs.readFileSync(path.join(folder, 'openapi.json'), 'utf8'))).toEqual(served)
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
})

test('with a base path, its server address has that path', async () => {
  await server.restart({ API_TOKENS: adminToken, PULSE_PUBLIC_URL: 'https://example.com/pulse/' })
  const { status, body } = await server.call('GET', '/pulse/api/openapi.json')
  expect(status).toBe(200)
  expect((body as OpenApi).servers).toEqual([{ url: 'https://example.com/pulse' }])
})

import { Ajv2020 } from 'ajv/dist/2020.js'
import os from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { readVersion } from '../start/version.ts'
import { isForOneProcess } from '../testing/database-of-tests.ts'
import type { OpenApi } from './document.ts'
import { askForAccess, askForSingleSignOn, leave, setUp } from './example-calls/access.ts'
import { askForAlerts, askForDeliveries, askForDestinations, removeAlerts } from './example-calls/alerts.ts'
import {
  askForConnections,
  askForServersNearby,
  askForTemperatures,
  askForWhatIsWatched,
  removeConnections,
  removeTheHistory,
} from './example-calls/connections.ts'
import { askForContainerHosts } from './example-calls/docker.ts'
import { createExamples } from './example-calls/example.ts'
import { calls, type Estate, openEstate } from './example-calls/fixtures.ts'
import { readSchemas } from './example-calls/schema.ts'
import { createShapes } from './example-calls/shape.ts'
import { storedExamples, storedText, storeExamples } from './example-calls/stored.ts'
import { askForSettings, askForTheWhole, askForUpdates, importTheWhole } from './example-calls/system.ts'
import type { JsonSchema } from './schemas.ts'

/** Order matters: calls that remove objects come last. */
const steps = [
  setUp,
  askForAccess,
  askForSettings,
  askForConnections,
  askForDestinations,
  askForContainerHosts,
  askForAlerts,
  askForWhatIsWatched,
  askForTemperatures,
  askForServersNearby,
  askForSingleSignOn,
  askForDeliveries,
  askForUpdates,
  askForTheWhole,
  removeAlerts,
  removeTheHistory,
  removeConnections,
  importTheWhole,
  leave,
]

let estate: Estate
let served: OpenApi
beforeAll(async () => {
  estate = await openEstate()
  for (const step of steps) await step(estate)
  served = estate.answers.get('getApiReference')!.body as OpenApi
  if (process.env['PULSE_WRITE_EXAMPLES']) await writeExamples()
})
afterAll(() => estate.close())

/** Calls with a JSON answer of the contract; others answer with text, files or nothing. */
const telling = [...calls].flatMap(([name, { reply }]) => (reply ? [[name, reply] as const] : []))
const bodyOf = (name: string) => estate.answers.get(name)!.body
const schemas = () => readSchemas(served.components['schemas']!)

/** The reference's schema for the answer of a call. */
function replySchema(name: string): JsonSchema {
  const { method, path, status = 200 } = calls.get(name)!
  const operation = served.paths[path.replace(/:(\w+)/g, '{$1}')]![method.toLowerCase()]!
  const responses = operation['responses'] as Record<
    string,
    { content: Record<string, { schema: JsonSchema }> }
  >
  return responses[status]!.content['application/json']!.schema
}

async function writeExamples() {
  const exampleOf = createExamples(schemas(), estate.replacements())
  const made = telling.map(([name]) => [name, exampleOf(bodyOf(name), replySchema(name))] as const)
  await storeExamples(Object.fromEntries(made))
}

describe('[spec 2 §5] every documented call, made on a real server', () => {
  test('none is left out', () => {
    expect([...calls.keys()].filter((name) => !estate.answers.has(name))).toEqual([])
  })

  test('answers as in the contract, without unknown fields', () => {
    for (const [name, reply] of telling)
      expect((reply as z.ZodMiniType).parse(bodyOf(name)), name).toEqual(bodyOf(name))
  })

  test('answers as in the reference, by another validator of JSON Schema', () => {
    const ajv = new Ajv2020({
      strict: false,
      validateFormats: false,
      inlineRefs: false,
      code: { optimize: false },
    })
    ajv.addSchema(served, 'api')
    const named = (schema: JsonSchema) =>
      JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')) as JsonSchema
    const wrong = telling.flatMap(([name]) => {
      const fits = ajv.compile(named(replySchema(name)))
      return fits(bodyOf(name)) ? [] : [`${name}: ${ajv.errorsText(fits.errors)}`]
    })
    expect(wrong).toEqual([])
  })

  test('answers a declared file or text type, or redirects, when it is not JSON', () => {
    for (const [name, { media, reply }] of calls) {
      const { headers, text } = estate.answers.get(name)!
      if (media === 'redirect') expect(headers.get('location'), name).toBeTruthy()
      else if (media) expect(media, name).toContain(headers.get('content-type')!.split(';')[0])
      else if (!reply) expect(text, name).toBe('')
    }
  })
})

const isSkipped = isForOneProcess('the stored examples are those of one process')

describe('the stored examples', () => {
  test.skipIf(isSkipped)('exist for each call that answers JSON, with the current shape', () => {
    const examples = storedExamples()
    expect(Object.keys(examples).toSorted()).toEqual(telling.map(([name]) => name).toSorted())
    const differences = createShapes(schemas())
    const wrong = telling.flatMap(([name]) =>
      differences(examples[name], [bodyOf(name)], replySchema(name)).map((text) => `${name}: ${text}`),
    )
    expect(wrong, 'run this file with PULSE_WRITE_EXAMPLES=1 to write them again').toEqual([])
  })

  test('contain no secret, no local path and no real host', () => {
    const text = storedText()
    const secrets = estate.secrets()
    expect(secrets.length).toBeGreaterThan(8)
    for (const secret of secrets) expect(text).not.toContain(secret)
    for (const own of [os.tmpdir(), process.cwd(), os.homedir()]) expect(text).not.toContain(`${own}/`)
    const addresses = new Set(text.match(/\b(?:\d{1,3}\.){3}\d{1,3}\b/g))
    // addresses for documentation, and default networks of container engines
    const reserved = ['192.0.2.', '0.0.0.0', '169.254.0.0', '172.18.0.']
    expect([...addresses].filter((one) => !reserved.some((part) => one.startsWith(part)))).toEqual([])
    expect(text).not.toContain(readVersion({}).version)
  })
})

import { SourceState } from '@pulse/contract'
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Caller } from '../auth/caller.ts'
import type { Statement } from '../db/messages.ts'
import type { Outcome, Question } from '../http/led-calls.ts'
import { Message } from './events.ts'
import type { Column, SentChanges, SentFrame } from './frames/field-changes.ts'
import * as samples from './frames/fixtures-version-1.ts'
import { unpacked } from './nats/parts.ts'
import { Card } from './presence.ts'
import { Message as RoleMessage } from './rights/proxy-roles.ts'
import { SiteAnswer, SiteQuestion, SiteTask, SiteTestResult } from './sites/site-wire.ts'

const document = path.join(import.meta.dirname, '../../../../docs/cluster.md')
const [, section] = fs.readFileSync(document, 'utf8').split('### Fields of the payloads\n')
const [table] = section!.slice(section!.indexOf('\n|')).split('\n\n')
const rows = new Map(
  [...table!.matchAll(/^\| (.*?) +\| (.*)\|$/gm)].map(([, name, fields]) => [name!, fields!]),
)

type Keys<T> = T extends unknown ? keyof T : never
/** Names of a type: the compiler demands all of them. */
const fieldsOf = <T>(names: Record<Keys<T>, true>): string[] => Object.keys(names)

/** Without the one that only a later version has. */
const knownFields = (value: object) => Object.keys(value).filter((name) => name !== 'laterField')

/** Names of all fields, of those within too. */
function fieldsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(fieldsIn)
  return knownFields(value).flatMap((name) => [name, ...fieldsIn(value[name as keyof typeof value])])
}

function fieldsOfSchema(schema: z.core.$ZodType): string[] {
  const found: string[] = []
  z.toJSONSchema(schema, {
    override({ jsonSchema }) {
      found.push(...Object.keys(jsonSchema.properties ?? {}))
    },
  })
  return found
}

const frames = [samples.base, samples.changes].map(
  (text) => JSON.parse(unpacked(Buffer.from(text, 'base64')).toString()) as SentFrame,
)
const changesInFrames = frames.flatMap(({ records }) => Object.values(records))
const refusal = fieldsOf<Extract<Outcome, { kind: 'refused' }>['refusal']>({
  code: true,
  message: true,
  details: true,
  fields: true,
  headers: true,
})

test.each<[payload: string, fields: string[]]>([
  ['frame', frames.flatMap(knownFields)],
  [
    'frame',
    fieldsOf<Omit<SentFrame, 'isForeign'>>({
      source: true,
      run: true,
      sequence: true,
      begins: true,
      completes: true,
      records: true,
      state: true,
      promiseMs: true,
      overdueError: true,
    }),
  ],
  ['`records` of a frame', changesInFrames.flatMap(knownFields)],
  [
    '`records` of a frame',
    fieldsOf<SentChanges | Column>({ put: true, remove: true, set: true, unset: true, i: true, v: true }),
  ],
  ['`state` of a frame', frames.flatMap(({ state }) => fieldsIn(state))],
  ['`state` of a frame', fieldsOfSchema(SourceState)],
  ['call', fieldsOf<Question>({ call: true, params: true, query: true, body: true, caller: true })],
  [
    '`caller` of a call',
    fieldsOf<Caller>({
      peer: true,
      client: true,
      https: true,
      site: true,
      method: true,
      headers: true,
      requestId: true,
      viaTrustedProxy: true,
    }),
  ],
  [
    'answer to a call',
    fieldsOf<Outcome>({
      kind: true,
      value: true,
      body: true,
      headers: true,
      status: true,
      refusal: true,
      cookies: true,
      written: true,
    }).concat(refusal, 'answer', 'isTooLarge'),
  ],
  ['question of a collector', fieldsOfSchema(SiteQuestion)],
  ['answer to a collector', fieldsIn(JSON.parse(samples.siteAnswer))],
  ['answer to a collector', fieldsOfSchema(SiteAnswer)],
  ['task of a collector', fieldsIn(JSON.parse(samples.siteTask))],
  ['task of a collector', fieldsOfSchema(SiteTask)],
  ['result of a task', fieldsIn(JSON.parse(samples.siteTestResult))],
  ['result of a task', fieldsOfSchema(SiteTestResult)],
  ['unsaved record', fieldsOf<Statement>({ sql: true, parameters: true })],
  ['event', Object.keys(Message.def.shape).concat('type', 'data')],
  ['role', Object.keys(RoleMessage.def.shape)],
  ['card', fieldsIn(JSON.parse(samples.card))],
  ['card', fieldsOfSchema(Card)],
])('docs/cluster.md names the fields: %s', (payload, fields) => {
  // a connection has a row of its own
  const described = payload.endsWith('collector') ? ['connection', payload] : [payload]
  const text = described.map((name) => rows.get(name)).join()
  expect(fields.length).toBeGreaterThan(0)
  expect(fields.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
})

import {
  secretMask,
  type Webhook,
  webhookDefaults,
  type WebhookInput,
  type WebhookService,
  type WebhookTemplate,
} from '@pulse/contract'
import type { Problems } from '../part.ts'
import { templateOf, type Templates } from './services.ts'

/** A name and a value. The key is stable while the user edits both. */
export interface Pair {
  key: number
  name: string
  value: string
}

export type PairList = 'headers' | 'customFields'

export interface WebhookForm extends Omit<Webhook, 'id' | PairList> {
  headers: readonly Pair[]
  customFields: readonly Pair[]
}

const pairsOf = (record: Readonly<Record<string, string>>): Pair[] =>
  Object.entries(record).map(([name, value], key) => ({ key, name, value }))

export const nextKey = (pairs: readonly Pair[]): number => Math.max(-1, ...pairs.map(({ key }) => key)) + 1

export const newForm = (): WebhookForm => ({
  ...webhookDefaults,
  name: '',
  url: '',
  headers: [],
  customFields: [],
})

export function formOf(
  { id: _id, headers, customFields, ...webhook }: Webhook,
  templates: Templates,
): WebhookForm {
  const form = { ...webhook, headers: pairsOf(headers), customFields: pairsOf(customFields) }
  return { ...form, customFields: withPresets(form.customFields, templateOf(templates, form.service)) }
}

/** The service's own fields come first. */
function withPresets(pairs: readonly Pair[], template: WebhookTemplate | undefined): readonly Pair[] {
  const presets = template?.fields ?? []
  const given = new Map(pairs.map((pair) => [pair.name, pair]))
  let key = nextKey(pairs)
  const first = presets.map(({ name }) => given.get(name) ?? { key: key++, name, value: '' })
  return [...first, ...pairs.filter((pair) => !first.includes(pair))]
}

/** URL of a service that has one URL for all users. */
const fixedUrl = (template: WebhookTemplate | undefined): string | undefined =>
  template && !template.urlPattern.includes('{') ? template.urlPattern : undefined

/** Adds the new service's fields and drops the empty fields of the previous one. */
export function withService(form: WebhookForm, service: WebhookService, templates: Templates): WebhookForm {
  const before = templateOf(templates, form.service)
  const after = templateOf(templates, service)
  const wasPreset = new Set(before?.fields.map(({ name }) => name))
  const kept = form.customFields.filter(({ name, value }) => value !== '' || !wasPreset.has(name))
  const isOwnUrl = form.url.trim() !== '' && form.url !== fixedUrl(before)
  return {
    ...form,
    service,
    method: after?.method ?? form.method,
    url: isOwnUrl ? form.url : (fixedUrl(after) ?? ''),
    customFields: withPresets(kept, after),
  }
}

/** A masked value belongs to its name, so renaming the pair clears the value. */
export const withPair = (pairs: readonly Pair[], key: number, change: Partial<Pair>): readonly Pair[] =>
  pairs.map((pair) => {
    if (pair.key !== key) return pair
    const isRenamed = change.name !== undefined && change.name !== pair.name
    return { ...pair, ...(isRenamed && pair.value === secretMask && { value: '' }), ...change }
  })

export const presetOf = (template: WebhookTemplate | undefined, { name }: Pair) =>
  template?.fields.find((field) => field.name === name)

/** Empty optional fields of a service are omitted. */
export function toInput(form: WebhookForm, templates: Templates): WebhookInput {
  const template = templateOf(templates, form.service)
  const record = (pairs: readonly Pair[]) =>
    Object.fromEntries(pairs.map(({ name, value }) => [name.trim(), value.trim()]))
  return {
    ...form,
    name: form.name.trim(),
    url: form.url.trim(),
    template: form.template.trim() === '' ? '' : form.template,
    headers: record(form.headers.filter(isGiven)),
    customFields: record(
      form.customFields.filter(
        (pair) => isGiven(pair) && (pair.value.trim() !== '' || !presetOf(template, pair)),
      ),
    ),
  }
}

const isGiven = ({ name, value }: Pair): boolean => name.trim() !== '' || value.trim() !== ''

/** Complete enough for a test. */
export const isTestable = ({ name, url }: WebhookForm): boolean => name.trim() !== '' && url.trim() !== ''

/** Key of a pair's problem: its name, as in the server's answer, or the pair's own key while unnamed. */
const problemKey = (list: PairList, { key, name }: Pair): string =>
  name.trim() ? `${list}.${name.trim()}` : `${list}#${key}`

export const problemOf = (problems: Problems, list: PairList, pair: Pair): string | undefined =>
  problems[problemKey(list, pair)]

export function webhookProblems(form: WebhookForm, templates: Templates): Problems {
  const template = templateOf(templates, form.service)
  return {
    ...(!form.name.trim() && { name: 'Name is required' }),
    ...(!form.url.trim() && { url: 'URL is required' }),
    ...listProblems('headers', form.headers),
    ...listProblems('customFields', form.customFields),
    ...Object.fromEntries(
      form.customFields.flatMap((pair) => {
        const preset = presetOf(template, pair)
        const isMissing = preset?.required === true && pair.value.trim() === ''
        return isMissing ? [[problemKey('customFields', pair), `${preset.label} is required`]] : []
      }),
    ),
  }
}

function listProblems(list: PairList, pairs: readonly Pair[]): Problems {
  const seen = new Set<string>()
  const found: Record<string, string> = {}
  for (const pair of pairs.filter(isGiven)) {
    const name = pair.name.trim()
    // HTTP header names are case-insensitive
    const known = list === 'headers' ? name.toLowerCase() : name
    if (!name) found[problemKey(list, pair)] = 'Enter a name, or remove the line'
    else if (seen.has(known)) found[problemKey(list, pair)] = 'This name is used twice'
    else if (pair.value !== secretMask && pair.value.includes(secretMask)) {
      found[problemKey(list, pair)] = 'Replace the whole hidden value'
    }
    seen.add(known)
  }
  return found
}

import * as contract from '@pulse/contract'
import { webhookDefaults } from '@pulse/contract'
import { webhookProblems, webhookTemplates } from '@pulse/domain'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { templateFields } from '../packages/domain/src/notify/template/fields.ts'
import { functions } from '../packages/domain/src/notify/template/tree.ts'
import { codeIn, documentText, documents, fencedBlocks } from './documented.ts'
import { sourceTexts, variablesInSources } from './source-texts.ts'

const guides = documents().filter((name) => /^docs\/[a-z-]+\.md$/.test(name))

describe('what the documents name exists', () => {
  const texts = sourceTexts()

  test('variables, and every variable of the product is documented', () => {
    const known = variablesInSources()
    const named = new Map<string, string>()
    for (const document of documents()) {
      for (const [name] of documentText(document).matchAll(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g))
        named.set(name, document)
    }
    const unknown = [...named].filter(([name]) => !known.all.has(name) && !gone.has(name))
    expect(unknown.map(([name, document]) => `${document} names ${name}`)).toEqual([])
    const configuration = documentText('docs/configuration.md')
    expect(
      [...known.settings].filter(
        (name) => !configuration.includes(`\`${name}\``) && !new RegExp(`\`${name}=`).test(configuration),
      ),
    ).toEqual([])
  })

  test('API calls, fields and scopes', () => {
    const paths = Object.values(contract).flatMap((value) =>
      typeof value === 'object' && value !== null && 'path' in value ? [String(value.path)] : [],
    )
    const forms = paths.map((one) => new RegExp(`^${one.replaceAll(/:\w+/g, '[^/]+')}$`))
    const named = documents().flatMap((document) => {
      const text = documentText(document)
      const calls = [...text.matchAll(/(?<![\w.}])\/api\/[\w/{}:.-]*\w/g)].map(([call]) => call)
      return calls.map((call) => ({ document, call }))
    })
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter(({ call }) => !forms.some((form) => form.test(call)))).toEqual([])
    const words = guides.flatMap((document) =>
      codeIn(documentText(document))
        .filter((code) => /^[a-z]+([A-Z][a-z]+)+$|^[a-z]+:[a-z]+$/.test(code))
        .map((word) => ({ document, word })),
    )
    expect(words.filter(({ word }) => !texts.all.includes(word))).toEqual([])
  })

  test('names on pages, in bold', () => {
    const bold = guides
      .filter((name) => !withOtherBold.has(name))
      .flatMap((document) =>
        [...documentText(document).matchAll(/\*\*([^*\n]+)\*\*/g)].map(([, label]) => ({
          document,
          label: label!,
        })),
      )
    expect(bold.length).toBeGreaterThan(60)
    expect(bold.filter(({ label }) => !texts.pages.includes(label))).toEqual([])
  })

  test('messages of the product in tables', () => {
    const said = guides.flatMap((document) => {
      const text = documentText(document)
      const seen = tablesOf(text, 'What you see').filter((row) => /^\| `[^`]+` +\|/.test(row))
      return [...tablesOf(text, 'It says'), ...seen].map((row) => ({ document, row }))
    })
    expect(said.length).toBeGreaterThan(20)
    for (const { document, row } of said) {
      const [message] = codeIn(row)
      const parts = message?.split('…').map((part) => part.trim()) ?? []
      expect(
        parts.filter((part) => !texts.all.includes(part)),
        `${document}: ${row}`,
      ).toEqual([])
    }
  })

  test('messages are quoted completely: omissions are marked with …', () => {
    const rows = tablesOf(documentText('docs/troubleshooting.md'), 'It says')
    expect(rows.length).toBeGreaterThan(20)
    const cut = rows.flatMap((row) => {
      const [message = ''] = codeIn(row)
      const parts = message.split('…').map((part) => part.trim())
      const [first, last] = [parts[0]!, parts.at(-1)!]
      const begins = first === '' || ["'", '"', '`'].some((quote) => texts.all.includes(quote + first))
      const ends = last === '' || ["'", '"', '`'].some((quote) => texts.all.includes(last + quote))
      return begins && ends ? [] : [message]
    })
    expect(cut).toEqual([])
  })

  test('fields, functions and services of webhooks, all of them, and templates that work', () => {
    const text = documentText('docs/notifications.md')
    const code = new Set(codeIn(text))
    for (const name of [...templateFields.root, ...Object.keys(functions)]) expect(code).toContain(name)
    for (const { name, urlPattern, fields } of webhookTemplates) {
      expect(text).toContain(`| ${name}`)
      if (urlPattern) expect(code).toContain(urlPattern)
      for (const field of fields.filter(({ required }) => required)) expect(code).toContain(field.name)
    }
    const templates = fencedBlocks('docs/notifications.md').filter(({ mark }) => mark === 'template')
    expect(templates.length).toBeGreaterThan(0)
    const webhook = {
      ...webhookDefaults,
      id: 'w',
      name: 'w',
      url: 'https://hooks.example.com/x',
      customFields: { team: 'ops' },
    }
    for (const { text: template } of templates) expect(webhookProblems({ ...webhook, template })).toEqual({})
  })
})

test('the figures in docs/scaling.md are the last measured ones', () => {
  const rows = (document: string) =>
    documentText(document)
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      )
  const measured = rows('docs/benchmarks.md')
  const sizes = measured[0]!
  /** The figure after the arrow, without the budget. */
  const figure = (name: string, size: string) =>
    /([\d,.]+)[^\d]*$/.exec(measured.find(([row]) => row === name)![sizes.indexOf(size)]!)![1]!
  const whole = (text: string) => text.replace(/(\d)\.\d$/, (_, digit: string) => digit)
  const stated = rows('docs/scaling.md').filter(([size]) => /^[\d,]+ guests/.test(size!))
  expect(stated.length).toBeGreaterThan(3)
  for (const [size, ...figures] of stated) {
    expect(figures, size).toEqual([
      `${whole(figure('Server RSS, 5 clients, MB', size!))} MB`,
      `${whole(figure('Server RSS, peak, MB', size!))} MB`,
      figure('Server CPU, 5 clients, % of a core', size!),
    ])
  }
})

test('the first page of the documents links to every other', () => {
  const index = documentText('docs/README.md')
  const missing = guides.filter((name) => !index.includes(`](${path.basename(name)})`))
  expect(missing).toEqual([])
})

/** Removed variables, and variables of other programs. */
const gone = new Set([
  'REQUIRE_AUTH',
  'API_TOKEN_ENABLED',
  'PULSE_AUDIT_LOG',
  'AUDIT_LOG_ENABLED',
  'ALLOW_ADMIN_BYPASS',
  'PULSE_INIT_CONFIG_URL',
])
/** In these documents, bold words are emphasized and no file names. */
const withOtherBold = new Set(['docs/security.md', 'docs/benchmarks.md', 'docs/api-errors.md'])

/** The rows of all tables with this head of the first column. */
function tablesOf(text: string, head: string): string[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('|') && block.split('|')[1]?.trim() === head)
    .flatMap((block) => block.split('\n').slice(2))
}

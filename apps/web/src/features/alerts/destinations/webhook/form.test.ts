import { secretMask } from '@pulse/contract'
import { describe, expect, test } from 'vitest'
import { aWebhook, templates } from '../fixtures.tsx'
import {
  formOf,
  isTestable,
  newForm,
  problemOf,
  toInput,
  webhookProblems,
  type WebhookForm,
  withPair,
  withService,
} from './form.ts'

const pair = (key: number, name: string, value = '') => ({ key, name, value })
const aForm = (change: Partial<WebhookForm> = {}): WebhookForm => ({
  ...newForm(),
  name: 'Ops',
  url: 'https://hook.lan',
  ...change,
})

test('[spec 3 §3] a new one is a generic POST that is enabled', () => {
  expect(newForm()).toMatchObject({ service: 'generic', method: 'POST', enabled: true, template: '' })
})

describe('a service', () => {
  test('brings its fields and its method; a URL that is the same for all is filled in', () => {
    const form = withService(aForm({ url: '' }), 'pushover', templates)
    expect(form.customFields.map(({ name }) => name)).toEqual(['app_token', 'user_token', 'device'])
    expect(form.url).toBe('https://api.pushover.net/1/messages.json')
    expect(withService(form, 'ntfy', templates)).toMatchObject({ url: '', method: 'PUT', customFields: [] })
  })

  test('leaves what was typed', () => {
    const own = aForm({ customFields: [pair(0, 'room', 'ops')] })
    const pushover = withService(own, 'pushover', templates)
    expect(pushover.url).toBe('https://hook.lan')
    const filled = {
      ...pushover,
      customFields: pushover.customFields.map((one) =>
        one.name === 'app_token' ? { ...one, value: 'x' } : one,
      ),
    }
    const names = withService(filled, 'discord', templates).customFields.map(({ name }) => name)
    expect(names).toEqual(['app_token', 'room'])
    expect(new Set(pushover.customFields.map(({ key }) => key)).size).toBe(4)
  })

  test('a stored webhook shows the fields of its service that it has no value for', () => {
    const stored = aWebhook({ service: 'pushover', customFields: { app_token: secretMask } })
    expect(formOf(stored, templates).customFields).toEqual([
      pair(0, 'app_token', secretMask),
      pair(1, 'user_token'),
      pair(2, 'device'),
    ])
  })
})

describe('what is sent', () => {
  test('is what is stored when nothing was edited', () => {
    const { id: _id, ...stored } = aWebhook({
      service: 'pushover',
      headers: { 'X-Key': secretMask },
      customFields: { app_token: secretMask, user_token: secretMask },
    })
    expect(toInput(formOf({ id: 'a', ...stored }, templates), templates)).toEqual(stored)
  })

  test('is without blank lines and a template of nothing but blanks', () => {
    const input = toInput(
      aForm({
        name: ' Ops ',
        url: ' https://hook.lan ',
        template: ' \n',
        headers: [pair(0, ' X-A ', ' 1 '), pair(1, '')],
        customFields: [pair(0, 'empty')],
      }),
      templates,
    )
    expect(input).toMatchObject({
      name: 'Ops',
      url: 'https://hook.lan',
      template: '',
      headers: { 'X-A': '1' },
      customFields: { empty: '' },
    })
  })

  test('a template stays as it was typed', () => {
    expect(toInput(aForm({ template: '  {{.ID}}\n' }), templates).template).toBe('  {{.ID}}\n')
  })
})

test('a hidden value does not move to another name', () => {
  const pairs = [pair(0, 'token', secretMask), pair(1, 'other', 'x')]
  expect(withPair(pairs, 0, { name: 'tokens' })[0]).toEqual(pair(0, 'tokens', ''))
  expect(withPair(pairs, 1, { name: 'another' })[1]).toEqual(pair(1, 'another', 'x'))
  expect(withPair(pairs, 0, { value: 'new' })[0]).toEqual(pair(0, 'token', 'new'))
})

describe('what keeps it from being saved', () => {
  const found = (change: Partial<WebhookForm>) => webhookProblems(aForm(change), templates)

  test('[spec 3 §5] name and URL are required', () => {
    expect(found({})).toEqual({})
    expect(found({ name: ' ', url: '' })).toEqual({ name: 'Name is required', url: 'URL is required' })
    expect([isTestable(aForm()), isTestable(aForm({ name: '' })), isTestable(aForm({ url: ' ' }))]).toEqual([
      true,
      false,
      false,
    ])
  })

  test('[spec 3 §3] Pushover wants its two tokens', () => {
    const form = withService(aForm(), 'pushover', templates)
    const problems = webhookProblems(form, templates)
    expect(problems).toEqual({
      'customFields.app_token': 'Application token is required',
      'customFields.user_token': 'User key is required',
    })
    expect(problemOf(problems, 'customFields', form.customFields[0]!)).toBe('Application token is required')
    expect(problemOf(problems, 'customFields', form.customFields[2]!)).toBeUndefined()
  })

  test('lines without a name, twice the same name, half a hidden value', () => {
    expect(
      found({
        headers: [
          pair(0, '', 'x'),
          pair(1, 'X-A', '1'),
          pair(2, 'x-a', '2'),
          pair(3, 'X-B', `${secretMask}1`),
          pair(4, 'X-C', secretMask),
          pair(5, ''),
        ],
        customFields: [pair(0, 'a', '1'), pair(1, 'A', '2')],
      }),
    ).toEqual({
      'headers#0': 'Enter a name, or remove the line',
      'headers.x-a': 'This name is used twice',
      'headers.X-B': 'Replace the whole hidden value',
    })
  })
})

// @vitest-environment happy-dom
import { secretMask } from '@pulse/contract'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { click, toasts } from '../../fake-alerts.tsx'
import {
  aLog,
  aWebhook,
  card,
  choose,
  deliveriesCall,
  fill,
  press,
  refusal,
  showDestinations,
  templatesCall,
  testCall,
  webhooksCall,
  destinationsAlone,
} from '../fixtures.tsx'
import { serviceNames, templateVariables } from './services.ts'

const addCall = 'POST /api/notifications/webhooks'
const updateCall = 'PUT /api/notifications/webhooks/hook-1'
const deleteCall = 'DELETE /api/notifications/webhooks/hook-1'
const testSendCall = 'POST /api/notifications/webhooks/test'
const hook = aWebhook()
const pager = aWebhook({ id: 'hook-2', name: 'Pager', service: 'pagerduty', enabled: false })

const show = (replies: Record<string, unknown> = {}) =>
  showDestinations({ [webhooksCall]: [hook, pager], [updateCall]: hook, ...replies })
const dialog = () => within(screen.getByRole('dialog'))
const field = (label: string | RegExp) => dialog().getByLabelText<HTMLInputElement>(label)
const rows = () =>
  within(card('Webhooks').getByRole('table', { name: 'Webhooks' }))
    .getAllByRole('row')
    .map((row) => [...row.querySelectorAll('th, td')].map(({ textContent }) => textContent))
async function open(name = 'Add Webhook') {
  await click(name)
  await act(async () => {})
}

destinationsAlone()

describe('[spec 3 §2] the list', () => {
  test('names each with its service, address, last message and state, and counts them', async () => {
    const status = { kind: 'webhook' as const, enabled: true, waiting: 0 }
    await show({
      [deliveriesCall]: aLog({
        channels: [
          {
            ...status,
            id: 'webhook:hook-1',
            name: 'Operations',
            failingSince: '2026-03-01T10:00:00Z',
            lastError: 'discord.com answered 404',
          },
        ],
      }),
    })
    expect(card('Webhooks').getByText('2 configured')).toBeDefined()
    const [head, first, second] = rows()
    expect(head).toEqual(['Name', 'URL', 'Last message', 'State', 'Actions'])
    expect(first!.slice(0, 2)).toEqual([
      'OperationsDiscord',
      'POST https://discord.com/api/webhooks/1/********',
    ])
    expect(first![2]).toMatch(/^Failing since .*discord\.com answered 404$/)
    expect(first![3]).toBe('Enabled')
    expect([second![0], second![2], second![3]]).toEqual(['PagerPagerDuty', 'No alerts sent yet', 'Disabled'])
  })

  test('one is switched off without anything else being sent', async () => {
    const view = await show()
    await press(card('Webhooks').getByRole('switch', { name: 'Webhook Operations' }))
    await view.settled()
    expect(view.asked(updateCall).map(({ body }) => body)).toEqual([{ enabled: false }])
    expect(toasts()).toEqual(['success: Webhook updated successfully'])
    expect(view.asked(webhooksCall)).toHaveLength(2)
  })

  test.each([
    ['success', () => ({ status: 'success', message: '' }), 'success: Test webhook sent successfully!'],
    [
      'refused',
      () => refusal('hook.lan answered 500'),
      'error: Failed to send test webhook: hook.lan answered 500',
    ],
    ['silent', () => 500, 'error: Failed to send test webhook: Unknown error'],
  ])('[spec 3 §8] a test: %s', async (_case, reply, expected) => {
    const view = await show({ [testCall]: reply })
    await click('Test Operations')
    await view.settled()
    expect(view.asked(testCall).map(({ body }) => body)).toEqual([{ type: 'webhook', webhookId: 'hook-1' }])
    expect(toasts()).toEqual([expected])
  })

  test('deleting asks first', async () => {
    const view = await show({ [deleteCall]: { status: 'success' } })
    await click('Delete Operations')
    expect(dialog().getByText(/Pulse stops sending to/).textContent).toContain('Operations')
    await click('Cancel')
    expect(view.asked(deleteCall)).toEqual([])
    await click('Delete Operations')
    await click('Delete Webhook')
    await view.settled()
    expect(view.asked(deleteCall)).toHaveLength(1)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(toasts()).toEqual(['success: Webhook deleted successfully'])
  })

  test.each([
    [() => refusal('There is no such webhook', {}, 404), 'There is no such webhook'],
    [() => 500, 'Failed to delete webhook'],
  ])('[spec 3 §8] one that cannot be deleted', async (reply, expected) => {
    const view = await show({ [deleteCall]: reply })
    await click('Delete Operations')
    await click('Delete Webhook')
    await view.settled()
    expect(toasts()).toEqual([`error: ${expected}`])
  })
})

describe('adding', () => {
  test('[spec 3 §5] takes a name and a URL, and can be tested only then', async () => {
    const view = await show({ [addCall]: hook })
    await open()
    expect(dialog().queryByRole('button', { name: 'Test' })).toBeNull()
    await press(dialog().getByRole('button', { name: 'Add Webhook' }))
    expect([dialog().getByText('Name is required'), dialog().getByText('URL is required')]).toHaveLength(2)
    expect(view.asked(addCall)).toEqual([])
    await fill(field('Name'), 'Ops')
    await fill(field('URL'), 'https://hook.lan/x')
    expect(dialog().getByRole('button', { name: 'Test' })).toBeDefined()
    await press(dialog().getByRole('button', { name: 'Add Webhook' }))
    await view.settled()
    expect(view.asked(addCall).map(({ body }) => body)).toEqual([
      {
        name: 'Ops',
        url: 'https://hook.lan/x',
        method: 'POST',
        headers: {},
        enabled: true,
        service: 'generic',
        template: '',
        customFields: {},
      },
    ])
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(toasts()).toEqual(['success: Webhook added successfully'])
    expect(view.asked(webhooksCall)).toHaveLength(2)
  })

  test.each([
    ['Service', Object.values(serviceNames)],
    ['Method', ['POST', 'PUT', 'PATCH']],
  ])('[spec 3 §3] %s is one of %o', async (name, choices) => {
    await show()
    await open()
    await press(dialog().getByRole('combobox', { name }))
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(choices)
  })

  test('a service says how its URL looks and what to do', async () => {
    await show()
    await open()
    await choose(dialog().getByRole('combobox', { name: 'Service' }), 'Discord')
    expect(field('URL').placeholder).toBe('https://discord.com/api/webhooks/{id}/{token}')
    expect(dialog().getByText('Create a webhook in the settings of the channel.')).toBeDefined()
  })

  test('[spec 3 §3] the required fields of Pushover cannot be renamed or removed', async () => {
    await show()
    await open()
    await choose(dialog().getByRole('combobox', { name: 'Service' }), 'Pushover')
    const name = (at: number) => field(`Custom field ${at}: name`)
    expect([1, 2, 3].map((at) => [name(at).value, name(at).readOnly])).toEqual([
      ['app_token', true],
      ['user_token', true],
      ['device', false],
    ])
    const removable = [1, 2, 3].map(
      (at) => dialog().queryByRole('button', { name: `Remove custom field ${at}` }) !== null,
    )
    expect(removable).toEqual([false, false, true])
    await fill(field('Name'), 'Phone')
    await press(dialog().getByRole('button', { name: 'Add Webhook' }))
    expect(dialog().getByText('Application token is required')).toBeDefined()
  })

  test('headers and fields are added, edited and removed', async () => {
    const view = await show({ [addCall]: hook })
    await open()
    await fill(field('Name'), 'Ops')
    await fill(field('URL'), 'https://hook.lan')
    await press(dialog().getByRole('button', { name: 'Add Header' }))
    await press(dialog().getByRole('button', { name: 'Add Header' }))
    await fill(field('Header 1: name'), 'X-Gone')
    await fill(field('Header 2: name'), 'Authorization')
    await fill(field('Header 2: value'), 'Bearer abc')
    await press(dialog().getByRole('button', { name: 'Remove header 1' }))
    await press(dialog().getByRole('button', { name: 'Add Field' }))
    await fill(field('Custom field 1: name'), 'room')
    await fill(field('Custom field 1: value'), 'ops')
    await press(dialog().getByRole('button', { name: 'Add Webhook' }))
    await view.settled()
    expect(view.asked(addCall)[0]!.body).toMatchObject({
      headers: { Authorization: 'Bearer abc' },
      customFields: { room: 'ops' },
    })
  })

  test('[spec 3 §3] a template names the variables and can start from the usual one', async () => {
    await show()
    await open()
    expect(templateVariables.map(({ name }) => name)).toEqual([
      'ID',
      'Level',
      'Type',
      'ResourceName',
      'Node',
      'Message',
      'Value',
      'Threshold',
      'Duration',
      'Timestamp',
      'CustomFields',
    ])
    await press(dialog().getByRole('button', { name: 'Load default template' }))
    expect(field('Template').value).toBe('{"text": "{{.Message}}"}')
    field('Template').setSelectionRange(1, 1)
    await press(dialog().getByRole('button', { name: 'Insert Level' }))
    expect(field('Template').value).toBe('{{{.Level}}"text": "{{.Message}}"}')
    // after the inserted text, where the user goes on typing
    expect(field('Template').selectionStart).toBe('{{{.Level}}'.length)
    expect(field('Template').selectionEnd).toBe('{{{.Level}}'.length)
    await press(dialog().getByRole('button', { name: 'Clear Template' }))
    expect(field('Template').value).toBe('')
  })

  test('what the server objects to stands at the field, and goes when that is edited', async () => {
    const view = await show({
      [addCall]: () =>
        refusal('The template does not parse.', {
          details: { template: 'Line 1: {{.Unknown}} is no variable.', 'headers.X-A': 'Not this one.' },
        }),
    })
    await open()
    await fill(field('Name'), 'Ops')
    await fill(field('URL'), 'https://hook.lan')
    await press(dialog().getByRole('button', { name: 'Add Header' }))
    await fill(field('Header 1: name'), 'X-A')
    await press(dialog().getByRole('button', { name: 'Add Webhook' }))
    await view.settled()
    expect(dialog().getByText('Line 1: {{.Unknown}} is no variable.')).toBeDefined()
    expect(dialog().getByText('Not this one.')).toBeDefined()
    expect(field('Template').getAttribute('aria-invalid')).toBe('true')
    expect(toasts()).toEqual(['error: The template does not parse.'])
    await fill(field('Template'), 'x')
    expect(dialog().queryByText('Line 1: {{.Unknown}} is no variable.')).toBeNull()
  })

  test('[spec 3 §8] a failure without words has ours', async () => {
    const view = await show({ [addCall]: 500 })
    await open()
    await fill(field('Name'), 'Ops')
    await fill(field('URL'), 'https://hook.lan')
    await press(dialog().getByRole('button', { name: 'Add Webhook' }))
    await view.settled()
    expect(toasts()).toEqual(['error: Failed to add webhook'])
    expect(dialog().getByRole('alert').textContent).toContain('Failed to add webhook')
  })

  test('without the services nothing can be filled in, and they can be asked for again', async () => {
    const view = await show({ [templatesCall]: 500 })
    await open()
    expect(dialog().getByText('Failed to load the services')).toBeDefined()
    view.answers[templatesCall] = []
    await press(dialog().getByRole('button', { name: 'Retry' }))
    await view.settled()
    expect(field('Name')).toBeDefined()
  })
})

describe('updating', () => {
  test('sends hidden values back as they came, so that the server keeps what it has', async () => {
    const stored = aWebhook({ headers: { Authorization: secretMask } })
    const view = await show({ [webhooksCall]: [stored] })
    await open('Edit Operations')
    await fill(field('Name'), 'Operators')
    await press(dialog().getByRole('button', { name: 'Update Webhook' }))
    await view.settled()
    expect(view.asked(updateCall)[0]!.body).toMatchObject({
      name: 'Operators',
      url: stored.url,
      headers: { Authorization: secretMask },
    })
    expect(toasts()).toEqual(['success: Webhook updated successfully'])
  })

  test('[spec 3 §8] a failure says why, or has our words', async () => {
    const view = await show({
      [updateCall]: () => refusal('Enter the URL again.', { details: { url: 'Again.' } }),
    })
    await open('Edit Operations')
    await press(dialog().getByRole('button', { name: 'Update Webhook' }))
    await view.settled()
    expect(dialog().getByText('Again.')).toBeDefined()
    view.answers[updateCall] = 500
    await press(dialog().getByRole('button', { name: 'Update Webhook' }))
    await view.settled()
    expect(toasts()).toEqual(['error: Enter the URL again.', 'error: Failed to update webhook'])
  })

  test('a test is made with what stands in the form, and shows what came back', async () => {
    const view = await show({ [testSendCall]: { success: true, status: 204, response: 'thanks' } })
    await open('Edit Operations')
    await fill(field('Name'), 'Operators')
    await press(dialog().getByRole('button', { name: 'Test' }))
    await view.settled()
    expect(view.asked(testSendCall)[0]!.body).toMatchObject({
      id: 'hook-1',
      name: 'Operators',
      url: hook.url,
    })
    expect(dialog().getByText('Test accepted: status 204')).toBeDefined()
    expect(dialog().getByText('thanks')).toBeDefined()
    view.answers[testSendCall] = () => refusal('discord.com answered 404', { status: 404, response: 'gone' })
    await press(dialog().getByRole('button', { name: 'Test' }))
    await view.settled()
    expect(dialog().getByText('Test failed: status 404')).toBeDefined()
    expect(dialog().getByText('gone')).toBeDefined()
    expect(toasts()).toEqual([
      'success: Test webhook sent successfully!',
      'error: Failed to send test webhook: discord.com answered 404',
    ])
  })
})

test('long and hostile names and addresses are text', async () => {
  const name = `<img src=x onerror=alert(1)>${'w'.repeat(100)}`
  await show({ [webhooksCall]: [aWebhook({ name })] })
  expect(rows()[1]![0]).toContain(name)
  expect(document.querySelector('#content img')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: `Edit ${name}` }))
})

// @vitest-environment happy-dom
import { appriseDefaults } from '@pulse/contract'
import { describe, expect, test } from 'vitest'
import { click, toasts } from '../../fake-alerts.tsx'
import {
  appriseCall,
  card,
  fill,
  press,
  refusal,
  saveAppriseCall,
  showDestinations,
  testCall,
  destinationsAlone,
  field,
  button,
  isUnsaved,
} from '../fixtures.tsx'

destinationsAlone()

describe('Apprise', () => {
  test('[spec 3 §9] as it left the factory, with the truth about what is run', async () => {
    await showDestinations()
    expect([field('Apprise', 'CLI path').value, field('Apprise', 'Timeout').value]).toEqual(['apprise', '15'])
    expect(card('Apprise').getByText('Disabled')).toBeDefined()
    expect(card('Apprise').getByText(/the executable is set by PULSE_APPRISE_PATH/)).toBeDefined()
    expect(field('Apprise', 'CLI path').readOnly).toBe(true)
  })

  test.each([
    ['4', '5'],
    ['121', '120'],
    ['long', '15'],
    ['', '15'],
    ['60', '60'],
  ])('[spec 3 §5] a timeout of %s is %s', async (typed, value) => {
    await showDestinations({ [appriseCall]: { ...appriseDefaults, timeoutSeconds: 30 } })
    await fill(field('Apprise', 'Timeout'), typed)
    expect(field('Apprise', 'Timeout').value).toBe(value)
  })

  test('[spec 3 §5] targets are saved without empties and duplicates; the answer refreshes the form', async () => {
    const view = await showDestinations({
      [saveAppriseCall]: { ...appriseDefaults, enabled: true, targets: ['discord://1/********'] },
    })
    await press(card('Apprise').getByRole('switch', { name: 'Apprise' }))
    await fill(field('Apprise', 'Delivery targets'), ' discord://1/token,\ndiscord://1/token')
    await click('Save Changes')
    await view.settled()
    expect(view.asked(saveAppriseCall)[0]!.body).toMatchObject({
      enabled: true,
      targets: ['discord://1/token'],
    })
    expect(field('Apprise', 'Delivery targets').value).toBe('discord://1/********')
    expect(isUnsaved()).toBe(false)
  })

  test('without a target it is not saved as enabled in silence', async () => {
    const view = await showDestinations()
    await press(card('Apprise').getByRole('switch', { name: 'Apprise' }))
    await click('Save Changes')
    await view.settled()
    expect(view.asked(saveAppriseCall)).toEqual([])
    expect(toasts()).toEqual(['error: Apprise: Enter at least one delivery target'])
  })

  test('a server has an address, a key that is asked for again, and a header for it', async () => {
    await showDestinations({
      [appriseCall]: {
        ...appriseDefaults,
        mode: 'http',
        serverUrl: 'https://apprise.lan',
        hasApiKey: true,
        targets: ['discord://1/********'],
      },
    })
    expect(card('Apprise').queryByLabelText('CLI path')).toBeNull()
    expect(field('Apprise', 'API key header').value).toBe('X-API-KEY')
    expect(field('Apprise', 'API key').placeholder).toBe('••••••••')
    await fill(field('Apprise', 'Server address'), 'https://other.lan')
    expect(card('Apprise').getByText(/the server changed, and Pulse never sends a saved key/)).toBeDefined()
    expect(card('Apprise').getByText(/Re-enter masked parts .*: the server changed/)).toBeDefined()
  })

  test('a test needs it enabled, and reports its result', async () => {
    const view = await showDestinations()
    expect(button('Apprise', 'Send Test Notification').disabled).toBe(true)
    await press(card('Apprise').getByRole('switch', { name: 'Apprise' }))
    await fill(field('Apprise', 'Delivery targets'), 'discord://1/token')
    await press(button('Apprise', 'Send Test Notification'))
    await view.settled()
    expect(view.asked(testCall)).toMatchObject([
      { body: { type: 'apprise', config: { targets: ['discord://1/token'] } } },
    ])
    view.answers[testCall] = () => refusal('apprise was not found')
    await press(button('Apprise', 'Send Test Notification'))
    await view.settled()
    expect(toasts()).toEqual([
      'success: Test notification sent through Apprise!',
      'error: Failed to send test notification through Apprise: apprise was not found',
    ])
  })
})

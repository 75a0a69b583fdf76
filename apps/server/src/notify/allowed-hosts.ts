import { getOutboundConfig, OutboundConfig, putOutboundConfig } from '@pulse/contract'
import { count, listed } from '../export-part.ts'
import { type Route, route } from '../http/route.ts'
import { plainEntry } from '../outbound/allowed-hosts.ts'
import type { SettingsDefinition, SettingsDocument } from '../settings-document.ts'

/** Hosts that channels may reach although the outbound guard would refuse them. */
export const allowedHostsSettings: SettingsDefinition<OutboundConfig> = {
  key: 'notifications.outbound',
  name: 'allowed hosts of notifications',
  defaults: () => ({ allowedHosts: [] }),
  parse: (stored) => OutboundConfig.parse(stored),
  setAside: 'each',
  exported: {
    key: 'outbound',
    schema: OutboundConfig,
    // a number, an escape or a letter of another script may hide a host that no administrator would confirm
    read: ({ allowedHosts }: OutboundConfig) => ({
      allowedHosts: [...new Set(allowedHosts.map(plainEntry))],
    }),
    plan({ allowedHosts: hosts }, { value }, by) {
      const here = value.allowedHosts.map(plainEntry)
      const added = hosts.filter((host) => !here.includes(host))
      const leftOut = by.confirmsDestinations ? [] : added
      const allowedHosts = hosts.filter((host) => !leftOut.includes(host))
      return {
        settings: { allowedHosts },
        summary: count(allowedHosts.length, 'allowed host'),
        notes: leftOut.length > 0 ? [leftOutNote(leftOut)] : [],
        changes: { allowedHosts: added },
      }
    },
  },
}

export const allowedHostsRoutes = (document: SettingsDocument<OutboundConfig>): readonly Route[] => [
  route(getOutboundConfig, document.current),
  route(putOutboundConfig, async ({ body, note }) => {
    const { allowedHosts } = await document.change(() => ({
      allowedHosts: [...new Set(body.allowedHosts.map((host) => host.toLowerCase()))],
    }))
    note({ target: 'allowed hosts', details: allowedHosts.join(', ').slice(0, 500) || 'none' })
    return { allowedHosts }
  }),
]

const leftOutNote = (hosts: readonly string[]) =>
  `New allowed hosts were left out: ${listed(hosts)}. Check and add them under Alerts, Notifications.`

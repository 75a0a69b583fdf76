import type { ConfigImportPreview } from '@pulse/contract'
import { Notice } from '../../../ui/notice.tsx'

/** What an import would change, and especially who gains access. */
export function ImportPreview({ preview }: { preview: ConfigImportPreview }) {
  const { summary, nodes, accounts, tokens, providers, notes } = preview
  const { destinations, allowedHosts, switchesAlertsOff } = preview
  const administrators = accounts.filter(({ role }) => role === 'admin')
  const viewers = accounts.filter(({ role }) => role !== 'admin')
  const changed = nodes.filter(({ change }) => change !== 'kept')
  return (
    <div className="flex max-h-[50vh] flex-col gap-3 overflow-y-auto">
      <p className="text-table text-ink">This file would import: {summary}.</p>
      {administrators.length + tokens.length + providers.length > 0 && (
        <Notice tone="yellow" title="These grant access to Pulse">
          Continue only if you recognize all of them.
        </Notice>
      )}
      <Group title="Administrators" lines={administrators.map(({ name }) => name)} />
      <Group title="Viewers" lines={viewers.map(({ name }) => name)} />
      <Group title="API tokens" lines={tokens.map(({ name, scopes }) => `${name} (${scopes.join(', ')})`)} />
      <Group
        title="Single sign-on"
        lines={providers.map(({ issuer, lets }) => `${issuer} lets in ${lets}`)}
      />
      <Group
        title="Nodes"
        lines={changed.map(
          ({ change, name, type, host }) => `${name}: ${type.toUpperCase()} at ${host}, ${change}`,
        )}
      />
      {switchesAlertsOff && (
        <Notice tone="yellow" title="This import switches alerts off">
          Alerts are on here and off in the file.
        </Notice>
      )}
      <Group
        title="New destinations of alerts"
        lines={destinations.map(({ name, goesTo }) => `${name}: ${goesTo}`)}
      />
      <Group title="Hosts that outgoing calls may reach" lines={allowedHosts} />
      <Group title="Notes" lines={notes} />
    </div>
  )
}

function Group({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <div role="group" aria-label={title}>
      <h3 className="text-table font-semibold">{title}</h3>
      <ul className="list-disc pl-4 text-table break-words text-ink-2">
        {lines.map((line, index) => (
          <li key={index}>{inItsOrder(line)}</li>
        ))}
      </ul>
    </div>
  )
}

/** The file is untrusted: its bidi control characters must not reorder other text. */
const inItsOrder = (line: string): string => line.replace(/\p{Bidi_Control}/gu, '\ufffd')

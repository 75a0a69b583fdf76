import type { OverrideKind } from '@pulse/contract'
import { useEntity } from '../../../live/use-live.ts'
import { cx } from '../../../ui/cx.ts'
import { Link } from '../../../ui/router/link.tsx'
import { useWebUrl } from './web-urls.tsx'

interface NameOrLinkProps {
  name: string
  record: { kind: OverrideKind; id: string }
  tabIndex: 0 | -1
}

const look = 'min-w-8 truncate font-medium text-ink'
const linked = cx(look, 'leading-6 hover:text-accent hover:underline')

/** Search fields of the Docker page, by kind. */
const dockerFields: Readonly<Partial<Record<OverrideKind, string>>> = {
  dockerHosts: 'host',
  dockerContainers: 'name',
}

/** Links to the resource's web interface, or to the Docker page if it has none. */
export function NameOrLink({ name, record: { kind, id }, tabIndex }: NameOrLinkProps) {
  const url = useWebUrl(kind, id)
  const field = dockerFields[kind]
  const isReported = useEntity(kind, id) !== undefined
  if (field !== undefined && isReported) {
    const docker = `/docker?${new URLSearchParams({ search: `${field}:${name}` })}`
    return (
      <Link to={docker} tabIndex={tabIndex} aria-label={`${name}, open the Docker page`} className={linked}>
        {name}
      </Link>
    )
  }
  if (url === undefined) return <span className={look}>{name}</span>
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      tabIndex={tabIndex}
      aria-label={`${name}, open web interface`}
      className={linked}
    >
      {name}
    </a>
  )
}

import type { SystemSettings } from '@pulse/contract'

/** The part of the system settings that says whether and where to look. */
export type DiscoverySettings = Pick<
  SystemSettings,
  'discoveryEnabled' | 'discoverySubnet' | 'discoveryConfig'
>

import type { Role } from '@pulse/contract'

export const roleNames: Record<Role, string> = { admin: 'Administrator', viewer: 'Viewer' }

export const roleChoices = [
  { value: 'viewer', label: roleNames.viewer },
  { value: 'admin', label: roleNames.admin },
] as const

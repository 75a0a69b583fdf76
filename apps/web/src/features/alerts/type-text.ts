import { alertTypeOf, alertTypeText } from '@pulse/contract'

/** Display name of an alert type. */
export const typeText = (type: string): string => alertTypeOf(type).shortLabel ?? alertTypeText(type)

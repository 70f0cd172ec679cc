import { existsSync, readFileSync } from 'node:fs'
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls'
import type { Variables } from './proxy.ts'

/** Names of the variables by which the CLIs and their runtimes are told of more certificates. */
const certificateVariables = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'CODEX_CA_CERTIFICATE']
/** Where Linux distributions keep what the system trusts: codex trusts that, where Node has a list of its own. */
const systemCertificates = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt']

let latest: { certificates: string; context: SecureContext } | undefined

/** What a child with these variables would trust. The same object as long as that is the same: to read some 300 certificates takes 60 ms. */
export function trustOf(variables: Variables): SecureContext {
  const named = certificateVariables.flatMap((name) => variables[name] ?? [])
  const files = [...named, ...systemCertificates].filter((file) => existsSync(file))
  const further = files.map((file) => readFileSync(file, 'utf8'))
  const certificates = further.join('\n')
  if (latest?.certificates !== certificates) {
    const ca = further.length === 0 ? {} : { ca: [...rootCertificates, ...further] }
    latest = { certificates, context: createSecureContext(ca) }
  }
  return latest.context
}

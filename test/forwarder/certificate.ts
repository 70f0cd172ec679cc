import { generateKeyPairSync, sign } from 'node:crypto'

export interface Certificate {
  key: string
  cert: string
}

/** A certificate of its own authority for localhost and 127.0.0.1, made now and good for a day. */
export function makeCertificate(): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const name = sequence(
    tagged(0x31, sequence(objectId('550403'), tagged(0x0c, Buffer.from('coxswain test')))),
  )
  const now = Date.now()
  const toSign = sequence(
    tagged(0xa0, integer(2)),
    integer(1),
    ecdsaWithSha256,
    name,
    sequence(time(now - day), time(now + day)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(names, isAuthority)),
  )
  const signature = tagged(0x03, Buffer.from([0]), sign('sha256', toSign, privateKey))
  const encoded = sequence(toSign, ecdsaWithSha256, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${encoded.replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`,
  }
}

const day = 24 * 60 * 60 * 1000
const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'))
const names = sequence(
  objectId('551d11'),
  tagged(0x04, sequence(tagged(0x82, Buffer.from('localhost')), tagged(0x87, Buffer.from([127, 0, 0, 1])))),
)
const isAuthority = sequence(objectId('551d13'), tagged(0x04, sequence(tagged(0x01, Buffer.from([0xff])))))

/** DER: the tag, the length, what is in it. */
function tagged(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const length = body.length
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}

function sequence(...content: Buffer[]): Buffer {
  return tagged(0x30, ...content)
}

function integer(value: number): Buffer {
  return tagged(0x02, Buffer.from([value]))
}

function objectId(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, 'hex'))
}

/** 20261130120000 as 261130120000Z. */
function time(at: number): Buffer {
  return tagged(0x17, Buffer.from(`${new Date(at).toISOString().replace(/\D/g, '').slice(2, 14)}Z`))
}

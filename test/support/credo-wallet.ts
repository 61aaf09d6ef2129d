import { EventEmitter } from 'node:events';
import { createCipheriv, createPublicKey, type KeyObject, randomBytes, sign, verify } from 'node:crypto';
import {
  Agent,
  type AgentDependencies,
  type BaseRecord,
  ClaimFormat,
  type DependencyManager,
  InjectionSymbols,
  Kms,
  RecordNotFoundError,
  SdJwtVcRecord,
  StorageVersionRecord,
} from '@credo-ts/core';
import { OpenId4VcModule } from '@credo-ts/openid4vc';
import { closeAfter } from './close-after.js';
import { derive, keyOf } from '../service/wallets/close-jwe.js';
import type { PersonName } from '../../lib/dev/sandbox/index.js';
import type { Reply, World } from './foreign-wallet.js';
import { keyPair } from './key-pair.js';

// Credo 0.6.3 as a wallet: the agent reads and checks the request, matches the query, chooses what to disclose, and posts
// the answer. Ours is what it asks of a platform, because its own for Node is not in the registry in this version: a store
// in memory, and the operations of keys on node:crypto.

export interface CredoWallet {
  /** Fetches and checks the request behind a link. */
  open(link: string): Promise<CredoOpened>;
}

export interface CredoOpened {
  /** What it would share. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** Agrees to it, or shares this in its place. */
  answer(shown?: Readonly<Record<string, unknown>>): Promise<Reply>;
}

/** A wallet that trusts who this world certifies, and has a PID from it for a key of its own. */
export async function credoWallet(world: World, person: PersonName = 'erika'): Promise<CredoWallet> {
  const keys = new Keys();
  const holder = keys.add(keyPair('ec', { namedCurve: 'P-256' }).privateKey, 'holder');
  const records = new Records();
  const { frameworkStorageVersion: storageVersion } = StorageVersionRecord;
  await records.save(undefined, new StorageVersionRecord({ storageVersion }));
  const agent = new Agent({
    config: { allowInsecureHttpUrls: true },
    dependencies: platform,
    modules: {
      records: {
        register: (manager: DependencyManager) =>
          manager.registerInstance(InjectionSymbols.StorageService, records),
      },
      keys: new Kms.KeyManagementModule({ backends: [keys as unknown as Kms.KeyManagementService] }),
      openid4vc: new OpenId4VcModule(),
    },
  });
  await agent.initialize();
  closeAfter(async () => await agent.shutdown());
  const pid = await world.issuePid({ holder, person });
  await agent.sdJwtVc.store({
    record: new SdJwtVcRecord({ credentialInstances: [{ compactSdJwtVc: pid, kmsKeyId: 'holder' }] }),
  });
  const { holder: wallet } = agent.openid4vc;
  return {
    async open(link) {
      const options = { trustedCertificates: [...world.accessAnchors] };
      const { dcql, authorizationRequestPayload } = await wallet.resolveOpenId4VpAuthorizationRequest(
        link,
        options,
      );
      if (dcql === undefined) throw new Error('The request has no query.');
      const credentials = wallet.selectCredentialsForDcqlRequest(dcql.queryResult);
      const [credential] = credentials['pid'] ?? [];
      if (credential?.claimFormat !== ClaimFormat.SdJwtDc) throw new Error('There is no PID for the query.');
      const { disclosedPayload } = credential;
      return {
        shown: disclosedPayload,
        async answer(shown = disclosedPayload) {
          const chosen = { ...credential, disclosedPayload: shown as typeof disclosedPayload };
          const answered = await wallet.acceptOpenId4VpAuthorizationRequest({
            authorizationRequestPayload,
            dcql: { credentials: { pid: [chosen] } },
          });
          if (answered.serverResponse === undefined) throw new Error('Nothing was posted.');
          return answered.serverResponse as Reply;
        },
      };
    },
  };
}

const platform = {
  EventEmitterClass: EventEmitter,
  fetch,
  WebSocketClass: class {},
  FileSystem: class {},
} as unknown as AgentDependencies;

type Tags = Readonly<Record<string, unknown>>;
interface Query extends Tags {
  readonly $or?: readonly Query[];
}

/** What an agent stores, in memory. Of its queries it knows those that this wallet makes. */
class Records {
  readonly supportsCursorPagination = false;
  readonly #records = new Map<string, BaseRecord>();

  async save(_: unknown, record: BaseRecord): Promise<void> {
    await Promise.resolve(this.#records.set(record.id, record));
  }
  async update(_: unknown, record: BaseRecord): Promise<void> {
    await this.save(_, record);
  }
  async delete(_: unknown, { id }: BaseRecord): Promise<void> {
    await Promise.resolve(this.#records.delete(id));
  }
  async getById(_: unknown, { type }: { type: string }, id: string): Promise<BaseRecord> {
    const record = await Promise.resolve(this.#records.get(id));
    if (record?.type !== type)
      throw new RecordNotFoundError(`There is no ${type} ${id}.`, { recordType: type });
    return record;
  }
  async getAll(_: unknown, { type }: { type: string }): Promise<BaseRecord[]> {
    return await Promise.resolve([...this.#records.values()].filter((one) => one.type === type));
  }
  async findByQuery(_: unknown, of: { type: string }, query: Query): Promise<BaseRecord[]> {
    return (await this.getAll(_, of)).filter((one) => fits(one.getTags(), query));
  }
}

const fits = (tags: Tags, { $or, ...wanted }: Query): boolean =>
  ($or === undefined || $or.some((query) => fits(tags, query))) &&
  Object.entries(wanted).every(([name, value]) => tags[name] === value);

interface Agreement {
  readonly keyId: string;
  readonly externalPublicJwk: { readonly x: string; readonly y: string };
  readonly apu?: Uint8Array;
  readonly apv?: Uint8Array;
}

/** Keys of P-256, and what a wallet does with them. */
class Keys {
  readonly backend = 'node:crypto';
  readonly #keys = new Map<string, KeyObject>();

  add(key: KeyObject, id: string) {
    this.#keys.set(id, key);
    return this.#publicOf(id);
  }
  isOperationSupported(): boolean {
    return true;
  }
  async getPublicKey(_: unknown, keyId: string) {
    return await Promise.resolve(this.#keys.has(keyId) ? { ...this.#publicOf(keyId), kid: keyId } : null);
  }
  async createKey() {
    const keyId = randomBytes(16).toString('hex');
    const { privateKey } = keyPair('ec', { namedCurve: 'P-256' });
    return await Promise.resolve({ keyId, publicJwk: { ...this.add(privateKey, keyId), kid: keyId } });
  }
  async deleteKey(_: unknown, { keyId }: { keyId: string }): Promise<boolean> {
    return await Promise.resolve(this.#keys.delete(keyId));
  }
  async sign(_: unknown, { keyId, data }: { keyId: string; data: Uint8Array }) {
    const signature = sign('sha256', data, { key: this.#keyOf(keyId), dsaEncoding: 'ieee-p1363' });
    return await Promise.resolve({ signature });
  }
  async verify(
    _: unknown,
    { key, data, signature }: { key: { publicJwk: object }; data: Uint8Array; signature: Uint8Array },
  ) {
    const publicKey = createPublicKey({ key: key.publicJwk as never, format: 'jwk' });
    const verified = verify('sha256', data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature);
    return await Promise.resolve(verified ? { verified, publicJwk: key.publicJwk } : { verified });
  }
  /** By ECDH-ES itself, for the answer. */
  async encrypt(
    _: unknown,
    it: {
      key: { keyAgreement: Agreement };
      encryption: { algorithm: string; aad: Uint8Array };
      data: Uint8Array;
    },
  ) {
    const { keyId, externalPublicJwk, apu, apv } = it.key.keyAgreement;
    const { algorithm: enc, aad } = it.encryption;
    const { d = '' } = this.#keyOf(keyId).export({ format: 'jwk' });
    const halves = [externalPublicJwk.x, externalPublicJwk.y].map((half) => Buffer.from(half, 'base64url'));
    const shared = keyOf(Buffer.from(d, 'base64url')).computeSecret(Buffer.concat([Buffer.of(4), ...halves]));
    const parties = [apu, apv].map((one) => one && Buffer.from(one).toString('base64url'));
    const key = derive(shared, { enc, apu: parties[0], apv: parties[1] });
    const iv = randomBytes(12);
    const cipher = createCipheriv(enc === 'A128GCM' ? 'aes-128-gcm' : 'aes-256-gcm', key, iv).setAAD(aad);
    const encrypted = Buffer.concat([cipher.update(it.data), cipher.final()]);
    return await Promise.resolve({ encrypted, iv, tag: cipher.getAuthTag() });
  }
  randomBytes(_: unknown, { length }: { length: number }): Uint8Array {
    return randomBytes(length);
  }

  #keyOf(id: string): KeyObject {
    const key = this.#keys.get(id);
    if (key === undefined) throw new Error(`There is no key ${id}.`);
    return key;
  }
  #publicOf(id: string) {
    const { x, y } = createPublicKey(this.#keyOf(id)).export({ format: 'jwk' }) as { x: string; y: string };
    return { kty: 'EC', crv: 'P-256', x, y } as const;
  }
}

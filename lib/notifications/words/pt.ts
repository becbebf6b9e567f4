import type { NotificationWords } from './words.ts'

/** Portuguese as in Brazil: `senha`, `aplicativo`, `você`. */
export const pt: NotificationWords = {
  identityVerified: {
    title: 'A sua identidade está verificada',
    text: 'Não precisa fazer mais nada.',
  },
  identityRejected: {
    title: 'Não foi possível verificar a sua identidade',
    text: 'Por favor, envie novamente os seus documentos.',
  },
  identityExpired: {
    title: 'A sua verificação expirou',
    text: 'Por favor, envie um documento válido. Até lá, os clientes não veem os seus anúncios.',
  },
  identityExpiring: ({ until }) => ({
    title: 'A sua verificação expira em breve',
    text: `É válida até ${until}. Por favor, envie antes um documento válido.`,
  }),
  passwordChanged: ({ at }) => ({
    title: 'A sua senha foi alterada',
    text: `Foi alterada em ${at}. Se não foi você, peça imediatamente uma nova senha.`,
  }),
  passwordReset: ({ at, count }) => ({
    title: 'A sua senha foi redefinida',
    text: `Em ${at} foi escolhida uma nova senha por um link enviado por e-mail, e a sessão foi encerrada em todos os dispositivos. Chaves de API anuladas: ${count}. Se não foi você, peça imediatamente uma nova senha.`,
  }),
  emailChanged: ({ at }) => ({
    title: 'O seu endereço de e-mail foi alterado',
    text: `A sua conta tem um novo endereço de e-mail desde ${at}. Se não foi você, use o link enviado ao endereço antigo.`,
  }),
  emailRestored: ({ at }) => ({
    title: 'O seu endereço de e-mail foi restabelecido',
    text: `A alteração do seu endereço de e-mail foi desfeita em ${at}, e a sessão foi encerrada em todos os dispositivos. Escolha uma nova senha com o link que enviamos por e-mail.`,
  }),
  signedInElsewhere: ({ at }) => ({
    title: 'Novo acesso à sua conta',
    text: `Houve um acesso à sua conta em ${at}, de um dispositivo e de uma rede que ainda não conhecíamos. Se não foi você, encerre essa sessão e altere a sua senha.`,
  }),
  sessionReused: ({ at }) => ({
    title: 'Encerramos uma sessão para proteger a sua conta',
    text: `Em ${at}, uma chave já usada dessa sessão voltou a ser usada; pode ter sido copiada. Por favor, entre de novo e, em caso de dúvida, altere a sua senha.`,
  }),
  secondFactorAdded: ({ at }) => ({
    title: 'Foi adicionado um segundo fator à sua conta',
    text: `Uma chave de acesso ou um aplicativo de autenticação foi adicionado em ${at}. Se não foi você, remova esse segundo fator e altere a senha imediatamente.`,
  }),
  secondFactorRemoved: ({ at }) => ({
    title: 'Foi removido um segundo fator da sua conta',
    text: `Uma chave de acesso ou um aplicativo de autenticação foi removido em ${at}. Se não foi você, altere a senha imediatamente.`,
  }),
  secondFactorToBeRemoved: ({ at }) => ({
    title: 'Os segundos fatores da sua conta vão ser removidos',
    text: `Em ${at} foi pedido ao nosso suporte que os removesse; isso acontece 24 horas depois. Se não foi você, entre antes disso com o aplicativo de autenticação ou a chave de acesso, o que cancela a remoção, e altere a senha.`,
  }),
  secondFactorRefused: ({ at }) => ({
    title: 'Códigos errados ao entrar na sua conta',
    text: `Foram digitados dez códigos errados, o último em ${at}, depois da sua senha correta. Se não foi você, altere-a imediatamente: alguém a conhece.`,
  }),
  apiKeyMade: ({ at }) => ({
    title: 'Foi criada uma chave de API',
    text: `Uma chave que age em seu nome foi criada em ${at}. Se não foi você, elimine-a e altere a senha.`,
  }),
  apiKeyDeleted: ({ at }) => ({
    title: 'Foi eliminada uma chave de API',
    text: `Uma chave que agia em seu nome foi eliminada em ${at}. O que a usava deixou de funcionar.`,
  }),
  listingPublished: ({ listing }) => ({
    title: `“${listing}” está publicado`,
    text: 'Os clientes já podem encontrar este anúncio.',
  }),
  listingRejected: ({ listing }) => ({
    title: `“${listing}” não foi aceito`,
    text: 'Pode alterar o anúncio e enviá-lo de novo.',
  }),
  listingSuspended: ({ listing }) => ({
    title: `“${listing}” foi suspenso`,
    text: 'Um moderador suspendeu este anúncio. Os clientes já não o veem.',
  }),
  revisionPublished: ({ listing }) => ({
    title: `As suas alterações em “${listing}” estão publicadas`,
    text: 'Os clientes já as veem.',
  }),
  revisionRejected: ({ listing }) => ({
    title: `As suas alterações em “${listing}” não foram aceitas`,
    text: 'O anúncio continua publicado como estava.',
  }),
  enquiryReceived: ({ person, listing }) => ({
    title: `Nova consulta sobre “${listing}”`,
    text: `${person} escreveu para você.`,
  }),
  enquiryAnswered: ({ person, listing }) => ({
    title: `Nova mensagem sobre “${listing}”`,
    text: `${person} escreveu para você.`,
  }),
  visitSet: ({ person, listing, visit }) => ({
    title: `Há uma visita marcada a “${listing}”`,
    text: `${person} espera por você em ${visit}.`,
  }),
  visitCancelled: ({ person, listing }) => ({
    title: `A visita a “${listing}” foi cancelada`,
    text: `${person} cancelou a visita. Pode escrever para combinar outro momento.`,
  }),
  listingTaken: ({ listing }) => ({
    title: `“${listing}” já não está disponível`,
    text: 'O imóvel foi vendido ou alugado, e a sua consulta foi encerrada. Ainda pode escrever.',
  }),
  paymentSucceeded: ({ amount, receipt }) => ({
    title: `O seu pagamento de ${amount} foi concluído`,
    text: `Número do recibo: ${receipt}`,
  }),
  refundStarted: ({ amount }) => ({
    title: `Um reembolso de ${amount} foi iniciado`,
    text: 'O dinheiro pode demorar alguns dias a chegar à sua conta.',
  }),
  refundDone: ({ amount }) => ({
    title: `Um reembolso de ${amount} foi concluído`,
    text: 'O dinheiro foi devolvido pelo mesmo meio de pagamento.',
  }),
  refundFailed: ({ amount }) => ({
    title: `Um reembolso de ${amount} falhou`,
    text: 'Estamos tratando do assunto. Não precisa fazer nada.',
  }),
  paymentDisputed: ({ amount }) => ({
    title: `O seu pagamento de ${amount} está em disputa`,
    text: 'O seu banco ou serviço de pagamento abriu uma disputa. O dinheiro fica retido até à decisão.',
  }),
  paymentChargedBack: ({ amount }) => ({
    title: `A disputa sobre o seu pagamento de ${amount} foi encerrada`,
    text: 'Foi decidida a seu favor, e o valor em disputa é devolvido a você.',
  }),
  paymentReceived: ({ person, amount, listing }) => ({
    title: `Um pagamento de ${amount} por “${listing}”`,
    text: `${person} pagou.`,
  }),
  requestPaid: ({ person, amount, listing }) => ({
    title: `O seu pedido de ${amount} foi pago`,
    text: `${person} pagou por “${listing}”.`,
  }),
  receivedRefunded: ({ amount, listing }) => ({
    title: `Um reembolso de ${amount} por “${listing}”`,
    text: 'Este valor foi devolvido a quem pagou.',
  }),
  receivedDisputed: ({ amount, listing }) => ({
    title: `Um pagamento por “${listing}” está em disputa`,
    text: `O banco ou serviço de pagamento de quem pagou contesta o pagamento de ${amount}.`,
  }),
  receivedChargedBack: ({ amount, listing }) => ({
    title: `Um pagamento por “${listing}” foi estornado`,
    text: `A disputa sobre o pagamento de ${amount} foi decidida a favor de quem pagou.`,
  }),
  payoutPaid: ({ amount }) => ({
    title: `O pagamento de ${amount} para a sua conta foi efetuado`,
    text: 'O dinheiro já seguiu para a sua conta.',
  }),
  payoutFailed: ({ amount }) => ({
    title: `O pagamento de ${amount} para a sua conta falhou`,
    text: 'O dinheiro voltou ao seu saldo. Verifique a sua conta de recebimento.',
  }),
  payoutAccountChanged: ({ at }) => ({
    title: 'A sua conta de recebimento foi alterada',
    text: `Foi alterada em ${at}. Se não foi você, altere já a sua senha e escreva-nos.`,
  }),
  paymentRequested: ({ person, amount, listing }) => ({
    title: `Foi pedido a você um pagamento de ${amount}`,
    text: `${person} pede este pagamento por “${listing}”.`,
  }),
  paymentRequestDue: ({ person, amount, listing, until }) => ({
    title: `Um pagamento de ${amount} está a vencer`,
    text: `${person} pede este pagamento por “${listing}” até ${until}.`,
  }),
  paymentRequestOverdue: ({ person, amount, listing }) => ({
    title: `Um pagamento de ${amount} está em atraso`,
    text: `${person} ainda espera este pagamento por “${listing}”. Você ainda pode fazê-lo.`,
  }),
  favouriteReduced: ({ listing, amount, before }) => ({
    title: `“${listing}” custa agora ${amount}`,
    text: `Preço anterior: ${before}`,
  }),
  favouriteTaken: ({ listing }) => ({
    title: `“${listing}” já foi vendido ou alugado`,
    text: 'Este imóvel dos seus favoritos já não está disponível.',
  }),
  favouriteGone: ({ listing }) => ({
    title: `“${listing}” deixou de estar publicado`,
    text: 'Este anúncio dos seus favoritos não está visível neste momento.',
  }),
  searchMatched: ({ search, count }) => ({
    title: `Novos anúncios para “${search}”`,
    text: `Anúncios encontrados: ${count}`,
  }),
  listingReportActed: {
    title: 'Obrigado pela sua denúncia',
    text: 'Analisamos o anúncio que denunciou e tomamos medidas.',
  },
  enquiryReportActed: {
    title: 'Obrigado pela sua denúncia',
    text: 'Analisamos a consulta que denunciou e tomamos medidas.',
  },
}

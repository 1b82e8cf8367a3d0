from .checking import CertificateCheck as CertificateCheck, check as check
from .writing import write as write
